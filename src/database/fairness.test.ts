import { expect, test } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { openDatabase } from "./database.ts";
import { largeRows, sql, text } from "./sql.ts";
import type { Queryable } from "./statement.ts";

test.each([
  ["workspaces", { group: "b", name: "x" }],
  ["callers of a workspace", { group: "a", name: "y" }],
])("%s take turns for the database connections", async (_, other) => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  const database = openDatabase({ connection: { connectionString }, poolMax: 1, log: silentLog });
  registerCleanup(() => database.close());
  const flooding = database.forMember({ group: "a", name: "x" });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const ended: string[] = [];
  const calls = [
    flooding.transaction(() => isReleased),
    ...[1, 2, 3].map((number) => runSql(flooding, "select").then(() => ended.push(`flood ${number}`))),
    runSql(database.forMember(other), "select").then(() => ended.push("other")),
  ];
  release();
  await Promise.all(calls);
  expect(ended.slice(0, 2)).toContain("other");
  expect(ended).toHaveLength(4);
});

test("statements that wait for locks of an organization leave connections for others", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  const database = openDatabase({ connection: { connectionString }, poolMax: 8, log: silentLog });
  registerCleanup(() => database.close());
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const blocked = ["x", "x", "x", "y", "y", "y"].map((name) =>
    database.forMember({ group: "a", name, organization: "locked" }).transaction(() => isReleased),
  );
  await runSql(database.forMember({ group: "a", name: "x", organization: "other" }), "select");
  await runSql(database.forMember({ group: "a", name: "z" }), "select");
  await runSql(database.forMember({ group: "b", name: "z" }), "select");
  release();
  await Promise.all(blocked);
});

test("large results are read one after the other, in turns by caller, and no other statement waits", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  const database = openDatabase({ connection: { connectionString }, poolMax: 8, log: silentLog });
  registerCleanup(() => database.close());
  const many = database.forMember({ group: "a", name: "x" });
  const few = database.forMember({ group: "b", name: "y" });
  await database.run(sql`create table results (number serial, name text)`);
  await database.run(sql`create table results_lock as select 1`);
  const readLarge = (member: Queryable, name: string) =>
    member.run(largeRows(sql`insert into results (name) select ${text(name)} from results_lock`));
  const reads = await database.transaction(async (transaction) => {
    await transaction.run(sql`lock table results_lock`);
    const started = [...["a1", "a2", "a3"].map((name) => readLarge(many, name)), readLarge(few, "b")];
    await runSql(many, "select");
    expect(database.poolUsage.waiting).toBe(3);
    return started;
  });
  await Promise.all(reads);
  const names = await database.run(sql<{ name: string }>`select name from results order by number`);
  expect(names.map(({ name }) => name)).toEqual(["a1", "a2", "b", "a3"]);
});
