import { describe, expect, inject, test } from "vitest";
import { folderWith } from "../../test/earlier-version.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { distribute, UNDISTRIBUTED_TABLES } from "./distribution.ts";
import { migrate } from "./migrate.ts";
import type { Queryable } from "./statement.ts";

const IS_CITUS = inject("serverUrls").length > 1;

const { reference, local } = UNDISTRIBUTED_TABLES;

async function getTables(database: Queryable, condition: string): Promise<string[]> {
  const tables = await runSql<{ name: string }>(
    database,
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and ${condition}`,
  );
  return tables.map(({ name }) => name).sort();
}

const HAS_KEY = "exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_key')";

/** Returns what Citus has made of each table; what it does not know is local. */
async function placements(database: Queryable): Promise<Map<string, string>> {
  const rows = await runSql<{ name: string; placement: string }>(
    database,
    `select relname as name, concat_ws(' ', coalesce(citus_table_type, 'local'), nullif(distribution_column, '<none>'),
       case when citus_table_type = 'distributed' then colocation_id - first_value(colocation_id) over (
         order by relname <> 'organizations') end) as placement
     from pg_class left join citus_tables on table_name = pg_class.oid
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, placement }) => [name, placement]));
}

test("a table without an organization key is declared a reference table or a local one", async () => {
  const { database } = await createTestDatabase();
  expect([...reference, ...local].sort()).toEqual(await getTables(database, `not ${HAS_KEY}`));
});

test.skipIf(IS_CITUS)("without Citus, a migration looks for the extension and runs nothing else for it", async () => {
  const { database } = await createTestDatabase();
  const statements: string[] = [];
  const distributed = await distribute((text, values) => {
    statements.push(text);
    return runSql(database, text, values);
  });
  expect(distributed).toEqual([]);
  expect(statements).toEqual([expect.stringContaining("pg_extension")]);
});

describe.runIf(IS_CITUS)("on Citus", () => {
  test("a migration distributes every table, with its rows, by organization in one colocation group", async () => {
    const { database, connectionString } = await createTestDatabase({ isBare: true });
    await keepShards(database, false);
    await migrate({ connectionString });
    const insert = "insert into documents (organization_key, document_id) select gen_random_uuid(), number::text";
    await runSql(database, `${insert} from generate_series(1, 100) as number`);
    await keepShards(database, true);
    const { distributed } = await migrate({ connectionString });
    const expected = [...reference, ...(await getTables(database, HAS_KEY))];
    expect(distributed.sort()).toEqual(expected.sort());
    const found = await placements(database);
    expect(reference.map((name) => found.get(name))).toEqual(reference.map(() => "reference"));
    expect(local.map((name) => found.get(name))).toEqual(local.map(() => "local"));
    const others = [...found].filter(([name]) => ![...reference, ...local].includes(name));
    expect(new Set(others.map(([, placement]) => placement))).toEqual(new Set(["distributed organization_key 0"]));
    expect(await runSql(database, "select count(*)::int from documents")).toEqual([{ count: 100 }]);
    expect(await runSql(database, "select pg_relation_size('documents') as bytes")).toEqual([{ bytes: 0 }]);
  });

  test("a migration of a distributed database changes its tables and distributes a new one", async () => {
    const { database, connectionString } = await createTestDatabase();
    const insert = "insert into documents (organization_key, document_id) select gen_random_uuid(), '1'";
    await runSql(database, `${insert} from generate_series(1, 100)`);
    const migrated = await migrate({ connectionString }, { folder: await folderWith("9999_titles.sql", TITLES) });
    expect(migrated).toEqual({ applied: ["9999_titles.sql"], distributed: ["titles"] });
    expect((await placements(database)).get("titles")).toBe("distributed organization_key 0");
    const joined =
      "select count(*)::int from documents join titles using (organization_key) where documents.title = 'A;'";
    expect(await runSql(database, joined)).toEqual([{ count: 100 }]);
  });

  test("a second migration distributes nothing", async () => {
    const { connectionString } = await createTestDatabase();
    expect(await migrate({ connectionString })).toEqual({ applied: [], distributed: [] });
  });

  test("a database is distributed by the first migration that finds a node for shards", async () => {
    const { database, connectionString } = await createTestDatabase({ isBare: true });
    await keepShards(database, false);
    expect(await migrate({ connectionString })).toMatchObject({ distributed: [] });
    await keepShards(database, true);
    expect((await migrate({ connectionString })).distributed).toContain("activities");
  });

  /** Says whether the worker nodes keep shards. Otherwise nothing is distributed. */
  function keepShards(database: Queryable, isWanted: boolean): Promise<unknown> {
    const keep = "select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', $1)";
    return runSql(database, `${keep} from pg_dist_node where groupid <> 0`, [isWanted]);
  }

  const TITLES = `
    alter table documents add column title text, add column words bigint not null default 0;
    create index documents_title on documents (organization_key, title);
    create function build_title(document text) returns text language plpgsql immutable as $$
      begin
        return upper(document);
      end;
    $$;
    update documents set title = build_title('a;');
    create table titles (organization_key uuid primary key, title text);
    insert into titles select organization_key, title from documents;`;
});
