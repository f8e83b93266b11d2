import { expect, test } from "vitest";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { OWNED_TABLES } from "./owned-tables.ts";

const { database } = await createTestDatabase();

async function tablesWith(column: string): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    database,
    `select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = $1 order by table_name::text collate "C"`,
    [column],
  );
  return rows.map(({ name }) => name);
}

test("deleting an organization purges every table with an organization key", async () => {
  expect([...OWNED_TABLES.map(({ name }) => name), "organizations"].sort()).toEqual(
    await tablesWith("organization_key"),
  );
});

test("deleting a document purges every table with a document ID", async () => {
  const names = OWNED_TABLES.filter(({ writtenAt }) => writtenAt).map(({ name }) => name);
  expect([...names, "document_purges"].sort()).toEqual(await tablesWith("document_id"));
});

test.each(OWNED_TABLES)("$name is read in the order of its primary key", async ({ name, key }) => {
  const rows = await runSql<{ columns: string[] }>(
    database,
    `select array_agg(attname::text order by place) as columns
     from pg_index cross join lateral unnest(indkey::int2[]) with ordinality as part (attnum, place)
     join pg_attribute on attrelid = indrelid and pg_attribute.attnum = part.attnum
     where indrelid = $1::regclass and indisprimary`,
    [name],
  );
  expect(rows[0]?.columns).toEqual(["organization_key", ...key]);
});

test.each(OWNED_TABLES.filter(({ writtenAt }) => writtenAt))(
  "the rows of a document in $name are found by an index",
  async ({ name }) => {
    const rows = await runSql<{ columns: string[] }>(
      database,
      `select array(select attname::text
         from unnest(indkey::int2[]) with ordinality as part (attnum, place)
         join pg_attribute on attrelid = indrelid and pg_attribute.attnum = part.attnum
         order by place) as columns
       from pg_index where indrelid = $1::regclass
         and coalesce(pg_get_expr(indpred, indrelid), $2) = $2`,
      [name, "(document_id <> ''::text)"],
    );
    const found = rows.filter(({ columns }) => columns[0] === "organization_key" && columns[1] === "document_id");
    expect(found).not.toEqual([]);
  },
);
