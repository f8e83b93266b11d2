import { expect, test } from "vitest";
import { migrateBefore } from "../../../test/earlier-version.ts";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { migrate } from "../../database/migrate.ts";
import { EVERY_WORKSPACE, selectAuditEntries } from "./queries.ts";

const MIGRATION = "0024_audit_target.sql";

test("entries of an earlier version have a target", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(database, MIGRATION);
  const tokenName = 'a name with "concerned": in it';
  const record = JSON.stringify({ id: "1", concerned: { tokenName } });
  await runSql(
    database,
    `insert into audit_entries (workspace_id, created_at, action, record, record_bytes)
     values ($1, 1, 'auth_token.add', $2, 1)`,
    [EVERY_WORKSPACE, record],
  );
  expect((await migrate({ connectionString })).applied).toContain(MIGRATION);
  const { records } = await selectAuditEntries(database, [EVERY_WORKSPACE], {}, { after: undefined, pageSize: 10 });
  expect(JSON.parse(records)).toEqual([{ id: "1", target: { tokenName } }]);
});
