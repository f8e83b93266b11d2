import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import type { Database } from "./database.ts";

function execute(database: Database, text: string, values: unknown[] = []) {
  return database.run({ runOn: (runner) => runner.execute<{ id: number }>({ text, values }) });
}

test("a text that fails within its own transaction leaves no connection in it", async () => {
  const { database } = await createTestDatabase();
  await expect(execute(database, "begin; select 1 / 0; commit")).rejects.toThrow("division by zero");
  for (let count = 0; count < 20; count++) await execute(database, "select 1");
});

test("a statement that PostgreSQL rejects keeps its connection", async () => {
  const { database } = await createTestDatabase();
  const getId = async () => (await execute(database, "select pg_backend_pid() as id where $1", [true]))[0]?.id;
  const id = await getId();
  await expect(execute(database, "select 1 / $1::int", [0])).rejects.toThrow("division by zero");
  expect(await getId()).toBe(id);
});

test("a connection that cannot be written is replaced, since it may lead to a former primary", async () => {
  const { database } = await createTestDatabase();
  const getId = async () => (await execute(database, "select pg_backend_pid() as id where $1", [true]))[0]?.id;
  const id = await getId();
  const writing = database.transaction(async (transaction) => {
    await transaction.run({ runOn: (runner) => runner.execute({ text: "set transaction read only", values: [] }) });
    await transaction.run({ runOn: (runner) => runner.execute({ text: "create table a (b int)", values: [] }) });
  });
  await expect(writing).rejects.toMatchObject({ code: "25006" });
  expect(await getId()).not.toBe(id);
});
