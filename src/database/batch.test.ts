import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startDatabaseProxy } from "../../test/database-proxy.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { type Database, openDatabase } from "./database.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { type OrganizationKey, toOrganizationKey } from "./keys.ts";
import { integer, integers, sql, unprepared } from "./sql.ts";
import { type BatchedStatement, batched, type Queryable } from "./statement.ts";

const [ACME, GLOBEX] = [toOrganizationKey("a".repeat(32)), toOrganizationKey("b".repeat(32))];

interface Call {
  id: number;
  /** The table rejects negative amounts. */
  amount: number;
  bytes?: number;
  organization?: OrganizationKey;
}

const { database, connectionString } = await createTestDatabase();
await database.run(unprepared(sql`create table kept (id int, amount int check (amount >= 0), statement bigint)`));

beforeEach(() => database.run(sql`truncate kept`));

/** Returns a statement that inserts rows and returns their amounts, and records the IDs of each run. */
function insertKept(): BatchedStatement<Call, number> & { statements: number[][] } {
  const statements: number[][] = [];
  return {
    statements,
    byteSize: ({ bytes = 10 }) => bytes,
    organizationKey: ({ organization = ACME }) => organization,
    *conflictKeys({ id }) {
      yield String(id);
    },
    async run(queryable: Queryable, _organizationKey: OrganizationKey, calls: Call[]) {
      statements.push(calls.map(({ id }) => id));
      const [ids, amounts] = [integers(calls.map(({ id }) => id)), integers(calls.map(({ amount }) => amount))];
      const rows = await queryable.run(
        sql<{ amount: number }>`insert into kept (id, amount, statement)
          select id, amount, txid_current() from unnest(${ids}, ${amounts}) as call (id, amount) returning amount`,
      );
      return rows.map(({ amount }) => amount);
    },
  };
}

/** Opens another pool, until the end of the test. */
function openOther(connection: { connectionString: string }): Database {
  const other = openDatabase({ connection, poolMax: 4, log: silentLog, statementTimeoutMs: 120_000 });
  onTestFinished(() => other.close());
  return other;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

async function keptIds(): Promise<number[]> {
  const rows = await database.run(sql<{ id: number }>`select id from kept order by id`);
  return rows.map(({ id }) => id);
}

test("concurrent calls share statements, and each gets its own result", async () => {
  const statement = insertKept();
  const calls = numbers(100).map((id) => ({ id, amount: id * 10 }));
  const results = await Promise.all(calls.map((call) => database.run(batched(statement)(call))));
  expect(results).toEqual(calls.map(({ amount }) => amount));
  expect(statement.statements.length).toBeLessThan(10);
  expect(await keptIds()).toEqual(numbers(100));
});

test("calls of several turns share a statement that gathers them", async () => {
  const gathering = { ...insertKept(), gatherMs: 1_000 };
  const results: Promise<number>[] = [];
  for (const id of numbers(3)) {
    results.push(database.run(batched(gathering)({ id, amount: id })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(results)).toEqual(numbers(3));
  expect(gathering.statements).toEqual([numbers(3)]);
});

test("calls of different organizations never share a batch", async () => {
  const kept = insertKept();
  const organizations: [OrganizationKey, (OrganizationKey | undefined)[]][] = [];
  const statement: BatchedStatement<Call, number> = {
    ...kept,
    run(queryable, organizationKey, calls) {
      organizations.push([organizationKey, calls.map(({ organization }) => organization)]);
      return kept.run(queryable, organizationKey, calls);
    },
  };
  const calls = numbers(100).map((id) => ({ id, amount: id, organization: id % 2 ? ACME : GLOBEX }));
  await Promise.all(calls.map((call) => database.run(batched(statement)(call))));
  for (const [key, keys] of organizations) expect(new Set(keys)).toEqual(new Set([key]));
  expect(organizations.length).toBeLessThan(20);
  expect(await keptIds()).toEqual(numbers(100));
});

test("locked rows of one organization do not delay the calls of another", async () => {
  const other = openOther({ connectionString });
  await database.run(sql`insert into kept (id, amount) values (1, 0), (2, 0)`);
  const statement: BatchedStatement<Call, number> = {
    ...insertKept(),
    async run(queryable, _organizationKey, calls) {
      const ids = integers(calls.map(({ id }) => id));
      await queryable.run(sql`update kept set amount = amount + 1 where id = any(${ids})`);
      return calls.map(({ id }) => id);
    },
  };
  let isEnded = false;
  await database
    .transaction(async (holder) => {
      await holder.run(sql`select from kept where id = ${integer(1)} for update`);
      const waiting = other.run(batched(statement)({ id: 1, amount: 0, organization: ACME })).then(() => {
        isEnded = true;
      });
      expect(await other.run(batched(statement)({ id: 2, amount: 0, organization: GLOBEX }))).toBe(2);
      expect(isEnded).toBe(false);
      return { waiting };
    })
    .then(({ waiting }) => waiting);
});

test("a call that the database rejects fails alone", async () => {
  const statement = insertKept();
  const calls = numbers(20).map((id) => ({ id, amount: id === 7 ? -1 : id }));
  const outcomes = await Promise.allSettled(calls.map((call) => database.run(batched(statement)(call))));
  const failed = outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index + 1] : []));
  expect(failed).toEqual([7]);
  expect(outcomes[6]).toMatchObject({ reason: { message: expect.stringContaining("kept_amount_check") } });
  expect(await keptIds()).toEqual(numbers(20).filter((id) => id !== 7));
});

test.each([
  ["statement", "insert into kept", {}],
  ["commit", "commit", { isTransaction: true }],
] as const)("a batch whose %s loses its response fails every call, and runs none again", async (_title, text, kind) => {
  const proxy = await startDatabaseProxy(connectionString);
  const other = openOther({ connectionString: proxy.url });
  await other.run(sql`select 1 as one`);
  proxy.loseResponsesTo(text);
  const statement = { ...insertKept(), ...kind };
  const calls = numbers(10).map((id) => other.run(batched(statement)({ id, amount: id })));
  for (const outcome of await Promise.allSettled(calls)) {
    expect(isDatabaseUnavailable(outcome.status === "rejected" && outcome.reason)).toBe(true);
  }
  expect(statement.statements).toEqual([numbers(10)]);
  expect(await keptIds()).toEqual(numbers(10));
});

test("a batch whose commit is rejected fails every call, and runs none again", async () => {
  await database.run(unprepared(sql`create table deferred (id int unique deferrable initially deferred)`));
  const kept = insertKept();
  const statement: BatchedStatement<Call, number> = {
    ...kept,
    isTransaction: true,
    async run(queryable, organizationKey, calls) {
      await queryable.run(sql`insert into deferred select 1 from unnest(${integers(calls.map(({ id }) => id))})`);
      return kept.run(queryable, organizationKey, calls);
    },
  };
  const calls = numbers(2).map((id) => database.run(batched(statement)({ id, amount: id })));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(kept.statements).toEqual([[1, 2]]);
});

test("a batch whose connection PostgreSQL ends fails every call, and runs none again", async () => {
  const kept = insertKept();
  const statement: BatchedStatement<Call, number> = {
    ...kept,
    async run(queryable, organizationKey, calls) {
      const results = await kept.run(queryable, organizationKey, calls);
      await queryable.run(sql`select pg_terminate_backend(pg_backend_pid())`);
      return results;
    },
  };
  const calls = numbers(2).map((id) => database.run(batched(statement)({ id, amount: id })));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await keptIds()).toEqual([1, 2]);
});

test("a failing call is run once and not retried", async () => {
  const statement = insertKept();
  await expect(database.run(batched(statement)({ id: 1, amount: -1 }))).rejects.toThrow("kept_amount_check");
  expect(statement.statements).toEqual([[1]]);
});

test("the calls after a rejected one succeed", async () => {
  const statement = insertKept();
  await expect(database.run(batched(statement)({ id: 1, amount: -1 }))).rejects.toThrow();
  expect(await database.run(batched(statement)({ id: 2, amount: 20 }))).toBe(20);
});

test("a call resolves only after its commit", async () => {
  const statement = insertKept();
  const seen = numbers(10).map(async (id) => {
    await database.run(batched(statement)({ id, amount: id }));
    return (await keptIds()).includes(id);
  });
  expect(await Promise.all(seen)).toEqual(Array(10).fill(true));
});

test("calls that conflict on a row never share a statement, and all succeed", async () => {
  const statement = insertKept();
  const calls = [1, 2, 1, 3, 1].map((id, index) => ({ id, amount: index }));
  expect(await Promise.all(calls.map((call) => database.run(batched(statement)(call))))).toEqual([0, 1, 2, 3, 4]);
  for (const ids of statement.statements) expect(new Set(ids).size).toBe(ids.length);
  expect(await keptIds()).toEqual([1, 1, 1, 2, 3]);
});

test("a call waits for conflicting calls, and other calls do not wait for it", async () => {
  const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const kept = insertKept();
  const statement: BatchedStatement<Call, number> = {
    ...kept,
    async run(queryable, organizationKey, calls) {
      if (calls.some(({ amount }) => amount === 0)) {
        started.resolve();
        await release.promise;
      }
      return kept.run(queryable, organizationKey, calls);
    },
  };
  const blocked = database.run(batched(statement)({ id: 1, amount: 0 }));
  await started.promise;
  const behind = database.run(batched(statement)({ id: 1, amount: 3 }));
  expect(await database.run(batched(statement)({ id: 2, amount: 2 }))).toBe(2);
  expect(kept.statements.flat()).not.toContain(1);
  release.resolve();
  expect([await blocked, await behind]).toEqual([0, 3]);
});

test.each([
  ["256 calls", 600, 10, 256],
  ["1 MiB", 12, 300 * 1024, 3],
  ["one call of any size", 3, 2 * 1024 * 1024, 1],
])("a statement takes at most %s", async (_title, count, bytes, most) => {
  const statement = insertKept();
  await Promise.all(numbers(count).map((id) => database.run(batched(statement)({ id, amount: id, bytes }))));
  expect(Math.max(...statement.statements.map((ids) => ids.length))).toBe(most);
  expect(await keptIds()).toEqual(numbers(count));
});

test("a statement that returns fewer results than it has calls fails them instead of mixing them up", async () => {
  const statement: BatchedStatement<Call, number> = { ...insertKept(), run: async () => [] };
  const outcomes = await Promise.allSettled([1, 2].map((id) => database.run(batched(statement)({ id, amount: id }))));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("calls of different statements do not wait for each other", async () => {
  const release = Promise.withResolvers<void>();
  const waiting: BatchedStatement<Call, number> = {
    ...insertKept(),
    run: async (_queryable, _organizationKey, calls) => release.promise.then(() => calls.map(() => 0)),
  };
  const blocked = database.run(batched(waiting)({ id: 1, amount: 0 }));
  expect(await database.run(batched(insertKept())({ id: 2, amount: 2 }))).toBe(2);
  release.resolve();
  expect(await blocked).toBe(0);
});
