import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { activity, readActivityIds, SCOPE } from "../factories.ts";
import { TestWorkspace } from "../harness.ts";
import { readPostmasterPid, ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { size } from "../sizes.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const CALLERS = 16;
const RECORDS_PER_CALL = 7;
/** Number of acknowledged calls before each kill. */
const KILLS_AFTER = [40, 150, 15, 300].slice(0, size({ usual: 1, long: 4 }));
const VICTIMS = (["PostgreSQL", "service", "both"] as const).slice(0, size({ usual: 2, long: 3 }));
const KILLS = VICTIMS.flatMap((victims) => KILLS_AFTER.map((killAfter) => ({ victims, killAfter })));

/**
 * Adds activities by concurrent callers, and kills after that many acknowledged calls, while the other callers wait for
 * a response. Returns the names of all acknowledged calls, with which the IDs of their records begin.
 */
async function addUntilKilled(
  workspace: TestWorkspace,
  name: string,
  killAfter: number,
  kill: () => Promise<unknown>,
): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  let killed: Promise<unknown> | undefined;
  async function add(call: string): Promise<void> {
    const activities = Array.from({ length: RECORDS_PER_CALL }, (_, number) => activity({ id: `${call} ${number}` }));
    const response = await workspace.call("/v2/activities/add", { ...SCOPE, activities }).catch(() => undefined);
    if (response?.httpStatus !== 200) return;
    acknowledged.add(call);
    if (acknowledged.size >= killAfter) killed ??= kill();
  }
  async function callUntilKill(caller: number): Promise<void> {
    for (let number = 0; killed === undefined; number += 1) await add(`${name}.${caller}.${number}`);
    await add(`${name}.${caller}.last`);
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => callUntilKill(caller)));
  await killed;
  return acknowledged;
}

/** Returns the number of stored records of each call. */
function countByCall(ids: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const [call = ""] = id.split(" ");
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return counts;
}

test(`kill -9 of the ${VICTIMS.join(" or ")} loses no acknowledged record and leaves no partial call`, async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const start = () =>
    new ServiceProcess({
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: CREDENTIALS.apiKey,
      BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken,
    });
  let service = start();
  let killedPostmaster: number | undefined;
  /** Returns the process ID of PostgreSQL. After a kill, processes of the former one may still respond for a moment. */
  const findPostmaster = async () => {
    const postmaster = await readPostmasterPid(dataDir);
    if (postmaster === killedPostmaster) throw new Error("PostgreSQL has not been restarted yet.");
    return postmaster;
  };
  for (const { victims, killAfter } of KILLS) {
    const workspace = new TestWorkspace(await service.address(), { workspaceId: "", ...CREDENTIALS });
    const postmaster = await eventually(findPostmaster);
    const acknowledged = await addUntilKilled(workspace, `${victims}.${killAfter}`, killAfter, async () => {
      if (victims !== "service") {
        process.kill(postmaster, "SIGKILL");
        killedPostmaster = postmaster;
      }
      if (victims !== "PostgreSQL") await service.kill();
    });

    if (victims !== "PostgreSQL") service = start();
    const next = workspace.at(await service.address());
    const ids = await eventually(() => readActivityIds(next));
    const kept = countByCall(ids);
    expect([...acknowledged].filter((call) => !kept.has(call))).toEqual([]);
    expect([...kept].filter(([, records]) => records !== RECORDS_PER_CALL)).toEqual([]);
  }
});
