import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Those of eight seconds and more, those that compute and those that wait in turn, so that the cores are always busy;
 * by size, as Vitest has it, some of them would start last.
 */
const LONGEST = [
  "test/console/edge-cases.test.ts",
  "src/features/mails/kill.test.ts",
  "test/console/pages.test.ts",
  "src/features/mails/random-kills.test.ts",
  "test/journeys/fuzz.test.ts",
  "src/features/mails/send-mail.test.ts",
  "test/journeys/starts.test.ts",
  "src/features/user-data/kill.test.ts",
  "src/commands/commands.test.ts",
  "src/features/organizations/purge/kill.test.ts",
  "src/database/embedded.test.ts",
  "src/jobs/jobs.test.ts",
  "test/contract.test.ts",
  "src/features/workspaces/email-config/send-test-mail.test.ts",
  "test/console/actions.test.ts",
  "test/journeys/kill.test.ts",
  "test/console/accessibility.test.ts",
  "src/features/sign-in/sessions/sessions.test.ts",
  "src/features/documents/purge/job.test.ts",
  "test/journeys/examples.test.ts",
  "test/console/sign-in.test.ts",
  "src/features/sign-in/send-login-link.test.ts",
  "src/features/organizations/purge/job.test.ts",
  "test/journeys/stop.test.ts",
  "src/features/crdt/update.test.ts",
  "test/console/documentation.test.ts",
  "src/features/crdt/add.test.ts",
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
