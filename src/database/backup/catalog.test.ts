import pg from "pg";
import { expect, test } from "vitest";
import { registerCleanup } from "../../../test/cleanup.ts";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { selectTables } from "./catalog.ts";

const ROWS = 1_000;
const TITLE_BYTES = 1_000;

test("the size of a table counts the rows on all servers, so that a backup knows how far it is", async () => {
  const { database, connectionString } = await createTestDatabase();
  await runSql(
    database,
    `insert into documents (organization_key, document_id)
     select gen_random_uuid(), repeat('x', ${TITLE_BYTES} - 4) || to_char(number, 'FM0000')
     from generate_series(1, ${ROWS}) as number`,
  );
  const client = new pg.Client({ connectionString });
  await client.connect();
  registerCleanup(() => client.end());
  const tables = await selectTables(client);
  expect(tables.find(({ name }) => name === "documents")?.bytes).toBeGreaterThan(ROWS * TITLE_BYTES);
});
