import { expect, test } from "vitest";
import { activity, readActivities, SCOPE } from "../../../test/factories.ts";
import { TestWorkspace } from "../../../test/harness.ts";
import { ServiceProcess, temporaryDataDir } from "../../../test/service-process.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const CALLERS = 16;
/** Number of successful calls before each kill. */
const KILLS_AFTER = [40, 15, 90, 60, 25, 70];

/** Adds an activity, whose ID the service makes, with the name as its Idempotency-Key. */
function add(workspace: TestWorkspace, name: string) {
  const activities = [activity({ displayMessageTemplate: name })];
  return workspace.call("/v2/activities/add", { ...SCOPE, activities }, { "idempotency-key": name });
}

/** Calls by concurrent callers, and kills the service after that many responses. Returns the names of all calls. */
async function callUntilKilled(workspace: TestWorkspace, killAfter: number, kill: () => Promise<void>) {
  const names: string[] = [];
  let succeeded = 0;
  let killed: Promise<void> | undefined;
  async function callUntilKill(caller: number): Promise<void> {
    for (let number = 0; killed === undefined; number += 1) {
      const name = `${killAfter}.${caller}.${number}`;
      names.push(name);
      const response = await add(workspace, name).catch(() => undefined);
      if (response?.httpStatus === 200) succeeded += 1;
      if (succeeded >= killAfter) killed ??= kill();
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => callUntilKill(caller)));
  await killed;
  return names;
}

test("kill -9 makes no call with a key happen twice or never, and the key is free at once", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const start = () =>
    new ServiceProcess({
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: CREDENTIALS.apiKey,
      BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken,
    });
  let service = start();
  let workspace = new TestWorkspace(await service.address(), { workspaceId: "", ...CREDENTIALS });
  const names: string[] = [];
  for (const killAfter of KILLS_AFTER) {
    const called = await callUntilKilled(workspace, killAfter, () => service.kill());
    service = start();
    workspace = workspace.at(await service.address());
    for (const name of called) expect(await add(workspace, name)).toMatchObject({ httpStatus: 200 });
    names.push(...called);
  }
  const added = (await readActivities(workspace)).map((record) => Object(record).displayMessageTemplate);
  expect(added.toSorted()).toEqual(names.toSorted());
});
