import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long: those that start browsers, processes or servers. */
const SLOW = /^(test\/(console|journeys|packages|tutorials)\/|src\/commands\/backup|src\/database\/distribution)/;

/** Runs slow files first, so that no worker runs one while the others have ended. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Vitest's own order: by the time of the last run, if any, and else by size.
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(relative(this.ctx.config.root, moduleId));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
