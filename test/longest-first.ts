import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those of ten seconds and more, most of which they wait; by size, as Vitest has it, some of them would start last. */
const LONGEST = [
  "test/journeys/starts.test.ts",
  "src/features/mails/kill.test.ts",
  "src/features/mails/send-mail.test.ts",
  "test/journeys/fuzz.test.ts",
  "src/database/embedded.test.ts",
  "test/contract.test.ts",
  "src/commands/commands.test.ts",
  "src/features/erasure/kill.test.ts",
  "src/features/user-data/kill.test.ts",
  "src/jobs/jobs.test.ts",
  "src/features/erasure/documents-job.test.ts",
  "test/journeys/kill.test.ts",
  "test/journeys/examples.test.ts",
  "src/features/erasure/organization-job.test.ts",
];

/** Starts the test files that take longest first, so that no worker goes on alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
