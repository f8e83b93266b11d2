import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { readPostmasterPid, temporaryDataDir } from "../../test/service-process.ts";
import { size } from "../../test/sizes.ts";
import { type Config, readConfig } from "../config/config.ts";
import { type Service, START_STEPS, startService } from "./service.ts";
import type { StartContext } from "./start-context.ts";

type StepName = keyof typeof START_STEPS;

const NAMES = Object.keys(START_STEPS).filter((name): name is StepName => name in START_STEPS);
/** Steps of which each is made to fail: one in four, the last one among them, or all. */
const FAILING = NAMES.toReversed().filter((_, index) => index % size({ usual: 4, long: 1 }) === 0);
const ERROR = new Error("the step failed");
const { database, connectionString } = await createTestDatabase();

/** Returns the steps of a start, of which one calls `then` once it has done its work. */
function stepsWith(name: StepName, then: (context: StartContext) => void): typeof START_STEPS {
  const step = async (context: StartContext, ...more: unknown[]) => {
    const made = await Reflect.apply(START_STEPS[name], undefined, [context, ...more]);
    then(context);
    return made;
  };
  return { ...START_STEPS, [name]: step };
}

function fail(): never {
  throw ERROR;
}

async function testConfig(environment: Record<string, string>): Promise<Config> {
  const DATA_DIR = await temporaryDataDir({ isPostgresPrepared: environment.DATABASE_URL === undefined });
  return readConfig({ PORT: "0", DATA_DIR, ...environment });
}

function configOnTestDatabase(): Promise<Config> {
  return testConfig({ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) });
}

/** Marks the asynchronous context of a start, to distinguish what it opens from what other tests keep open. */
const starting = new AsyncLocalStorage<true>();
/** Sockets, servers, child processes and timers that starts have opened, by their asynchronous ID. */
const opened = new Map<number, { type: string; resource: { hasRef?(): boolean } }>();
const hook = createHook({
  init(id, type, _trigger, resource) {
    if (starting.getStore() && /^Timeout$|WRAP$/.test(type)) opened.set(id, { type, resource });
  },
  destroy(id) {
    opened.delete(id);
  },
}).enable();
afterAll(() => void hook.disable());

function start(config: Config, steps: typeof START_STEPS): Promise<Service> {
  return starting.run(true, () => startService(config, silentLog, { steps }));
}

/** Returns what starts have opened and what still keeps the process alive. */
function findOpen(): string[] {
  return [...opened.values()].filter(({ resource }) => resource.hasRef?.() === true).map(({ type }) => type);
}

async function expectNothingOpen(): Promise<void> {
  await expect.poll(findOpen).toEqual([]);
  // Citus has connections of its own, which it keeps.
  const connections = `select application_name from pg_stat_activity
    where datname = current_database() and pid <> $1 and application_name not ilike 'citus%'`;
  const [own] = await runSql<{ pid: number }>(database, "select pg_backend_pid() as pid");
  await expect.poll(() => runSql(database, connections, [own?.pid])).toEqual([]);
}

test.each(FAILING)("a start whose step %s fails leaves nothing running", async (name) => {
  const config = await configOnTestDatabase();
  await expect(start(config, stepsWith(name, fail))).rejects.toBe(ERROR);
  await expectNothingOpen();
});

test("a start that fails leaves no embedded PostgreSQL running", async () => {
  const config = await testConfig({});
  const steps = stepsWith("createFirstWorkspace", fail);
  await expect(start(config, steps)).rejects.toBe(ERROR);
  await expect(readPostmasterPid(config.dataDir)).rejects.toMatchObject({ code: "ENOENT" });
});

test.each(FAILING)("a stop releases everything although a release after the step %s throws", async (name) => {
  const config = await configOnTestDatabase();
  const steps = stepsWith(name, ({ resources }) => resources.defer(fail));
  const service = await start(config, steps);
  expect(findOpen()).not.toEqual([]);
  await expect(service.stop()).rejects.toBe(ERROR);
  await expectNothingOpen();
});

test("a start that fails reports the error of its step although a release throws", async () => {
  const config = await configOnTestDatabase();
  const steps = stepsWith("openMailer", ({ resources }) => {
    resources.defer(() => {
      throw new Error("the release failed");
    });
    fail();
  });
  await expect(start(config, steps)).rejects.toBe(ERROR);
  await expectNothingOpen();
});
