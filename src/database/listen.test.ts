import { expect, onTestFinished, test } from "vitest";
import { startDatabaseProxy } from "../../test/database-proxy.ts";
import { eventually } from "../../test/eventually.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { type Database, openDatabase } from "./database.ts";
import { DatabaseUnresponsiveError } from "./database-errors.ts";
import { listen } from "./listen.ts";

const LIMITS = { intervalMs: 10, responseMs: 2_000, retryMs: 50, maxSilentAttempts: 4 };
const { database: direct, connectionString } = await createTestDatabase();

async function openPool(options: { statementTimeoutMs?: number } = {}) {
  const proxy = await startDatabaseProxy(connectionString);
  const database = openDatabase({
    connection: { connectionString: proxy.url },
    poolMax: 2,
    log: silentLog,
    ...options,
  });
  onTestFinished(() => database.close());
  return { proxy, database };
}

/** Opens a pool behind a proxy, with a listener that records its notifications. */
async function openWithListener(limits = LIMITS) {
  const { proxy, database } = await openPool();
  const states: boolean[] = [];
  let messages = 0;
  const listener = await listen({
    database,
    channels: { test_channel: () => messages++ },
    onListening: (isListening) => states.push(isListening),
    log: silentLog,
    limits,
  });
  onTestFinished(() => listener.stop());
  return { proxy, database, states, countMessages: () => messages };
}

function notify(): Promise<unknown> {
  return runSql(direct, "select pg_notify('test_channel', '')");
}

async function getError(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function sleepInTransaction(database: Database): Promise<unknown> {
  return database.transaction((transaction) => runSql(transaction, "select pg_sleep(600)"));
}

test("a listening connection that loses all bytes is replaced, and the pool keeps its connections", async () => {
  // A busy machine may take long to accept the new connection, which does not count as a silent database here.
  const limits = { ...LIMITS, responseMs: 300, maxSilentAttempts: 1_000 };
  const { proxy, database, states, countMessages } = await openWithListener(limits);
  const [before] = await runSql<{ pid: number }>(database, "select pg_backend_pid() as pid");
  proxy.swallowConnectionsThatSent("listen test_channel");
  await eventually(() => expect(states.slice(0, 3)).toEqual([true, false, true]));
  await notify();
  await eventually(() => expect(countMessages()).toBe(1));
  const [after] = await runSql<{ pid: number }>(database, "select pg_backend_pid() as pid");
  expect(after).toEqual(before);
});

test("a statement that takes longer than a dead database is waited for goes on while the database lives", async () => {
  const { proxy, database, states } = await openWithListener({ ...LIMITS, responseMs: 2_000, maxSilentAttempts: 40 });
  // Sends a row of 10 kB every 20 ms: 6 s, where a silent database is given up after 4 s.
  const rows = runSql(database, "select repeat('x', 10000), pg_sleep(0.02) from generate_series(1, 300)");
  await eventually(() => expect(database.poolSockets.receivedBytes).toBeGreaterThan(10_000));
  proxy.swallowConnectionsThatSent("listen test_channel");
  proxy.rejectNewConnections();
  expect(await rows).toHaveLength(300);
  expect(states).toEqual([true, false]);
});

test("when the database stops responding, running and new statements fail until it responds again", async () => {
  const { proxy, database } = await openWithListener();
  const running = [getError(sleepInTransaction(database)), getError(runSql(database, "select pg_sleep(600)"))];
  await eventually(async () => {
    expect(await runSql(direct, "select from pg_stat_activity where query like 'select pg_sleep(600)%'")).toHaveLength(
      2,
    );
  });
  proxy.swallow();
  const waiting = getError(runSql(database, "select 1"));
  expect(await Promise.all([...running, waiting])).toEqual(Array(3).fill(expect.any(DatabaseUnresponsiveError)));
  expect(await getError(runSql(database, "select 1"))).toBeInstanceOf(DatabaseUnresponsiveError);
  proxy.restore();
  await eventually(() => runSql(database, "select 1"));
});

test("a transaction whose statement has no response does not wait for a rollback", async () => {
  const { proxy, database } = await openPool({ statementTimeoutMs: 2_000 });
  const work = database.transaction(async (transaction) => {
    await runSql(transaction, "select 1");
    proxy.swallow();
    await runSql(transaction, "select 2");
  });
  expect(await getError(work)).toMatchObject({ message: "Query read timeout" });
  expect(proxy.countSent("rollback")).toBe(0);
  expect(database.poolUsage).toMatchObject({ total: 0 });
});
