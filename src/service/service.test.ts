import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { readPostmasterPid, temporaryDataDir } from "../../test/service-process.ts";
import { type Config, readConfig } from "../config/config.ts";
import { START_STEPS, startService } from "./service.ts";
import type { StartContext } from "./start-context.ts";

type StepName = keyof typeof START_STEPS;

const NAMES = Object.keys(START_STEPS).filter((name): name is StepName => name in START_STEPS);
const FAILURE = new Error("the step failed");
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
  throw FAILURE;
}

async function testConfig(environment: Record<string, string>): Promise<Config> {
  const DATA_DIR = await temporaryDataDir({ isPostgresPrepared: environment.DATABASE_URL === undefined });
  return readConfig({ PORT: "0", DATA_DIR, ...environment });
}

function configOnTestDatabase(): Promise<Config> {
  return testConfig({ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) });
}

/** Returns what keeps the process alive, such as sockets, servers and timers, and the connections to the database. */
async function openResources(): Promise<string[]> {
  const rows = await runSql<{ connection: string }>(
    database,
    "select 'connection' as connection from pg_stat_activity where datname = current_database()",
  );
  return [...process.getActiveResourcesInfo(), ...rows.map(({ connection }) => connection)];
}

/** Returns the shortest of some samples, since timers of the test runner come and go. */
async function openResourcesBefore(): Promise<string[]> {
  let least = await openResources();
  for (let sample = 0; sample < 10; sample++) {
    await delay(10);
    const next = await openResources();
    if (next.length < least.length) least = next;
  }
  return least;
}

/** Fails if more resources are open than before. PostgreSQL lists a closed connection for a moment. */
async function expectNoMoreThan(before: string[]): Promise<void> {
  let more = await runningBesides(before);
  for (let attempt = 0; attempt < 250 && more.length > 0; attempt++) {
    await delay(20);
    more = await runningBesides(before);
  }
  expect(more).toEqual([]);
}

async function runningBesides(before: string[]): Promise<string[]> {
  const rest = [...before];
  return (await openResources()).filter((name) => {
    const index = rest.indexOf(name);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

test.each(NAMES)("a start whose step %s fails leaves nothing running", async (name) => {
  const config = await configOnTestDatabase();
  const before = await openResourcesBefore();
  await expect(startService(config, silentLog, undefined, stepsWith(name, fail))).rejects.toBe(FAILURE);
  await expectNoMoreThan(before);
});

test("a start that fails leaves no embedded PostgreSQL running", async () => {
  const config = await testConfig({});
  const steps = stepsWith("createFirstWorkspace", fail);
  await expect(startService(config, silentLog, undefined, steps)).rejects.toBe(FAILURE);
  await expect(readPostmasterPid(config.dataDir)).rejects.toMatchObject({ code: "ENOENT" });
});

test.each(NAMES)("a stop releases everything although a release after the step %s throws", async (name) => {
  const config = await configOnTestDatabase();
  const before = await openResourcesBefore();
  const steps = stepsWith(name, ({ resources }) => resources.defer(fail));
  const service = await startService(config, silentLog, undefined, steps);
  await expect(service.stop()).rejects.toBe(FAILURE);
  await expectNoMoreThan(before);
});

test("a start that fails reports the error of its step although a release throws", async () => {
  const config = await configOnTestDatabase();
  const before = await openResourcesBefore();
  const steps = stepsWith("openMailer", ({ resources }) => {
    resources.defer(() => {
      throw new Error("the release failed");
    });
    fail();
  });
  await expect(startService(config, silentLog, undefined, steps)).rejects.toBe(FAILURE);
  await expectNoMoreThan(before);
});
