import { expect, test } from "vitest";
import { migrateBefore } from "../../../test/earlier-version.ts";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { migrate } from "../../database/migrate.ts";

const KEY = "00000000-0000-4000-8000-000000000001";
/** Records of an earlier version, which held the role, and what they become. */
const RECORDS: Record<string, [stored: string, upgraded: string]> = {
  ada: ['{"userId":"ada","accessRole":"viewer","name":"Ada"}', '{"userId":"ada","name":"Ada"}'],
  alan: ['{"accessRole":"editor","userId":"alan"}', '{"userId":"alan"}'],
  eve: ['{"userId":"eve","text":"\\u0000 \\ud800","accessRole":"viewer"}', '{"userId":"eve","text":"\\u0000 \\ud800"}'],
  grace: ['{"userId":"grace","team":{"accessRole":"viewer"}}', '{"userId":"grace","team":{"accessRole":"viewer"}}'],
};

test("users of an earlier version become users of their organization and documents, with their roles", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(database, "0031_users_by_grants.sql");
  for (const [userId, [record]] of Object.entries(RECORDS)) {
    await runSql(
      database,
      `insert into users (organization_key, user_id, record, record_bytes)
       values ($1, $2, $3::text::json, length($3::text))`,
      [KEY, userId, record],
    );
  }
  await runSql(
    database,
    `insert into document_users (organization_key, document_id, user_id, written_at)
     values ($1, 'd', 'ada', 7), ($1, 'd', 'nobody', 8)`,
    [KEY],
  );
  await migrate({ connectionString });
  const grants = await runSql(
    database,
    `select user_id, resource_type, resource_id, access_role, expires_at from grants
     order by user_id, resource_type`,
  );
  const ofOrganization = { resource_type: "organization", resource_id: "", expires_at: null };
  const ofDocument = { resource_type: "document", resource_id: "d", expires_at: null };
  expect(grants).toEqual([
    { user_id: "ada", ...ofDocument, access_role: "viewer" },
    { user_id: "ada", ...ofOrganization, access_role: "viewer" },
    { user_id: "alan", ...ofOrganization, access_role: "editor" },
    { user_id: "eve", ...ofOrganization, access_role: "viewer" },
    { user_id: "grace", ...ofOrganization, access_role: "editor" },
    { user_id: "nobody", ...ofDocument, access_role: "editor" },
  ]);
  const users = await runSql<{ user_id: string; record: string; record_bytes: number; initial: string | null }>(
    database,
    "select user_id, record::text as record, record_bytes, initial from users order by user_id",
  );
  expect(users.map(({ record }) => record)).toEqual(Object.values(RECORDS).map(([, record]) => record));
  expect(users.map(({ record_bytes }) => record_bytes)).toEqual(users.map(({ record }) => record.length));
  expect(users[0]?.initial).toBe("A");
});
