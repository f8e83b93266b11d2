import { expect, test } from "vitest";
import { activity, addActivities } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { keepingMs, readStatistics } from "./statistics.ts";

const service = await startTestService();

/** Wraps a database and counts its statements. */
function counted(database: TransactionalQueryable): { database: TransactionalQueryable; statements: () => number } {
  let statements = 0;
  return {
    statements: () => statements,
    database: {
      ...database,
      run(statement) {
        statements++;
        return database.run(statement);
      },
    },
  };
}

test("concurrent requests with the same filters share one count", async () => {
  const { database, statements } = counted(service.database);
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addActivities(mine, [activity(), activity()]);
  const ask = (id: string, days: number) => Array.from({ length: 5 }, () => readStatistics(database, id, days, "UTC"));
  const responses = await Promise.all([...ask(mine.id, 14), ...ask(theirs.id, 14), ...ask(mine.id, 1)]);
  expect(statements()).toBe(6);
  expect(responses.map(({ counts }) => counts[0]?.count)).toEqual([
    ...Array(5).fill(2),
    ...Array(5),
    ...Array(5).fill(2),
  ]);
});

test("a count that takes long is cached for the next request", async () => {
  const { database, statements } = counted(service.database);
  const slow: TransactionalQueryable = {
    ...database,
    async run(statement) {
      await runSql(service.database, "select pg_sleep(1)");
      return database.run(statement);
    },
  };
  const workspace = await service.workspace();
  const first = await readStatistics(slow, workspace.id, 14, "UTC");
  await addActivities(workspace, [activity()]);
  expect(await readStatistics(slow, workspace.id, 14, "UTC")).toEqual(first);
  expect(statements()).toBe(2);
});

test("a count that fails is repeated for the next request", async () => {
  const { id } = await service.workspace();
  let isAway = true;
  const database: TransactionalQueryable = {
    ...service.database,
    run: (statement) => (isAway ? Promise.reject(new Error("away")) : service.database.run(statement)),
  };
  await expect(readStatistics(database, id, 14, "UTC")).rejects.toThrow("away");
  isAway = false;
  expect(await readStatistics(database, id, 14, "UTC")).toMatchObject({ totals: { organizations: 0 } });
});

test.each([
  [0, 1],
  [99, 1],
  [100, 2_000],
  [1_500.5, 30_010],
])("a count that took %d ms is cached for %d ms", (took, kept) => {
  expect(keepingMs(took)).toBe(kept);
});
