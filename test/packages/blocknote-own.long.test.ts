import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const CONFIG = join(import.meta.dirname, "blocknote-own.config.ts");

interface Report {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

test("the thread store passes BlockNote's own tests of one", async () => {
  const workspace = await service.workspace();
  await workspace.call("/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
  const resources = [{ type: "organization" as const, id: "acme", accessRole: "editor" as const }];
  const USER_TOKEN = await tokenFor(workspace, "test-user", { resources });
  const { VITEST: _, ...inherited } = process.env;
  const { stdout } = await promisify(execFile)("npx", ["vitest", "run", "--config", CONFIG, "--reporter=json"], {
    env: { ...inherited, COLLOQUY_URL: service.address, USER_TOKEN },
  }).catch(Object);
  const { testResults }: Report = JSON.parse(stdout);
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ status }) => status !== "passed")).toEqual([]);
  expect(results).toHaveLength(13);
});
