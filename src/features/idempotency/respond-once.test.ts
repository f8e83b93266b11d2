import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { registerCleanup } from "../../../test/cleanup.ts";
import { createTestDatabase, silentLog } from "../../../test/harness.ts";
import { untilWaiting } from "../../../test/lock-waits.ts";
import { runSql } from "../../../test/run-sql.ts";
import { Cipher } from "../../config/cipher.ts";
import type { KeyedDatabase } from "../../contract/keyed-request.ts";
import { openDatabase } from "../../database/database.ts";
import type { Queryable, TransactionalQueryable } from "../../database/statement.ts";
import { createWorkspace } from "../workspaces/workspaces.ts";
import { respondOnce } from "./respond-once.ts";

const { database, connectionString } = await createTestDatabase();
const { workspaceId } = await createWorkspace(database, { name: "test", activityServiceEnabled: true });
const secrets = new Cipher([Buffer.alloc(32)], "test");
const dependencies = { database, secrets };
const RESPONSE = '{"done":true}';

/** Opens the same database with a pool of one connection. */
function withOneConnection() {
  const isDistributed = database.isDistributed;
  const opened = openDatabase({ connection: { connectionString }, poolMax: 1, log: silentLog, isDistributed });
  registerCleanup(() => opened.close());
  return opened;
}

function newRequest() {
  return { workspaceId, keyHash: randomBytes(32), requestHash: randomBytes(32) };
}

async function readName(): Promise<string> {
  const [row] = await runSql<{ name: string }>(database, "select name from workspaces where id = $1", [workspaceId]);
  return row?.name ?? "";
}

/** Returns a new name, the operation that writes it, and a mock that is called whenever it was written. */
function naming() {
  const name = randomBytes(8).toString("hex");
  const written = vi.fn();
  const write = (queryable: Queryable) =>
    runSql(queryable, "update workspaces set name = $2 where id = $1", [workspaceId, name]);
  const run = async ({ database: given }: KeyedDatabase) => {
    await write(given);
    written();
    return RESPONSE;
  };
  return { name, written, write, run };
}

const FIRST = { body: RESPONSE, isRepeated: false };
const REPEATED = { body: RESPONSE, isRepeated: true };

test("a connection that is lost before the commit leaves no change, and the key free", async () => {
  const request = newRequest();
  const { name, write, run } = naming();
  const before = await readName();
  const broken = respondOnce(dependencies, request, async ({ database: given }) => {
    await write(given);
    await runSql(given, "select pg_terminate_backend(pg_backend_pid())").catch(() => undefined);
    return RESPONSE;
  });
  await expect(broken).rejects.toThrow();
  expect(await readName()).toBe(before);
  expect(await respondOnce(dependencies, request, run)).toEqual(FIRST);
  expect(await readName()).toBe(name);
});

test("a connection that is lost after the commit leaves the response for the next call with the key", async () => {
  const request = newRequest();
  const { name, written, run } = naming();
  const losing: TransactionalQueryable = {
    run: database.run,
    async transaction(work) {
      await database.transaction(work);
      throw new Error("Connection terminated unexpectedly");
    },
  };
  await expect(respondOnce({ database: losing, secrets }, request, run)).rejects.toThrow("Connection terminated");
  expect(await respondOnce(dependencies, request, run)).toEqual(REPEATED);
  expect(written).toHaveBeenCalledTimes(1);
  expect(await readName()).toBe(name);
});

test("a request with the key of one in progress waits for its commit, and gets its response", async () => {
  const request = newRequest();
  const { written, run } = naming();
  const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = respondOnce(dependencies, request, async (given) => {
    const response = await run(given);
    started.resolve();
    await mayEnd.promise;
    return response;
  });
  await started.promise;
  const second = respondOnce(dependencies, request, run);
  await untilWaiting(withOneConnection());
  mayEnd.resolve();
  expect(await Promise.all([first, second])).toEqual([FIRST, REPEATED]);
  expect(written).toHaveBeenCalledTimes(1);
});

test("a request with the key of one that fails meanwhile is carried out", async () => {
  const request = newRequest();
  const { run } = naming();
  const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = respondOnce(dependencies, request, async (given) => {
    await run(given);
    started.resolve();
    await mayEnd.promise;
    throw new Error("rejected");
  });
  await started.promise;
  const second = respondOnce(dependencies, request, run);
  await untilWaiting(withOneConnection());
  mayEnd.resolve();
  await expect(first).rejects.toThrow("rejected");
  expect(await second).toEqual(FIRST);
});

test("a request that waits in vain is UNAVAILABLE, and the wait for other locks has no such limit", async () => {
  const request = newRequest();
  const { written, run } = naming();
  await respondOnce(dependencies, request, async (given) => {
    await run(given);
    expect(await runSql(given.database, "show lock_timeout")).toEqual([{ lock_timeout: "0" }]);
    const other = respondOnce({ ...dependencies, maxWaitMs: 20 }, request, run);
    await expect(other).rejects.toMatchObject({ reason: "idempotency_key_in_progress", httpStatus: 503 });
    return RESPONSE;
  });
  expect(written).toHaveBeenCalledTimes(1);
});

test("nothing is committed if a transaction of the operation fails, even if the operation goes on", async () => {
  const request = newRequest();
  const { write, run } = naming();
  const before = await readName();
  const continued = respondOnce(dependencies, request, async ({ database: given }) => {
    const failed = given.transaction(async (transaction) => {
      await write(transaction);
      throw new Error("rejected");
    });
    await failed.catch(() => undefined);
    return RESPONSE;
  });
  await expect(continued).rejects.toThrow("rejected");
  expect(await readName()).toBe(before);
  expect(await respondOnce(dependencies, request, run)).toEqual(FIRST);
});

test("an operation takes no connection for its early reads, and one for everything after them", async () => {
  const pool = withOneConnection();
  const { name, run } = naming();
  const response = await respondOnce({ database: pool, secrets }, newRequest(), async (given) => {
    const { earlyReads } = given;
    await runSql(earlyReads, "select 1");
    await runSql(pool, "select 1");
    await run(given);
    expect(await runSql(earlyReads, "select name from workspaces where id = $1", [workspaceId])).toEqual([{ name }]);
    return given.database.transaction(async () => RESPONSE);
  });
  expect(response).toEqual(FIRST);
});

test("an operation whose key has a response ends with its first read", async () => {
  const request = newRequest();
  await respondOnce(dependencies, request, naming().run);
  const afterRead = vi.fn();
  const response = await respondOnce(dependencies, request, async ({ earlyReads }) => {
    await runSql(earlyReads, "select 1");
    afterRead();
    return RESPONSE;
  });
  expect(response).toEqual(REPEATED);
  expect(afterRead).not.toHaveBeenCalled();
});
