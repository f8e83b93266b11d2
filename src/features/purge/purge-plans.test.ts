import { expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { getStatements } from "../../../test/sent-statements.ts";
import { moveNextRows } from "../documents/migration/migrated-row-queries.ts";
import { purgeDocumentRows, purgeSomeRows } from "../documents/purge/document-purge-queries.ts";
import { purgeOrganizationRows } from "../organizations/purge/organization-purge-queries.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { storedOrganization } from "../tenancy/organization-scope.ts";
import { IMPORTABLE } from "./owned-tables.ts";
import { purgeUserRows } from "./user-purge-queries.ts";

const IS_CITUS = inject("serverUrls").length > 1;
const { database } = await createTestDatabase();
const organization = storedOrganization(database, organizationKey("00000000-0000-4000-8000-000000000001", "acme"));

// PostgreSQL expects one activity in each organization.
await runSql(database, "alter table activities set (autovacuum_enabled = false)");
await runSql(
  database,
  `insert into activities (organization_key, id, document_id, user_id, feature_type, action_type, created_at, sequence,
     record, record_bytes)
   select md5(number::text)::uuid, 'id', 'document', 'user', 'custom', 'opened', 1, number, '{}', 2
   from generate_series(1, 2000) as number`,
);
await runSql(database, "analyze activities");

const ROWS = { table: "activities", ...IMPORTABLE };
const TABLE = { name: "activities", key: ["id"], ...IMPORTABLE };
const MOMENT = { time: 1, transactionId: "3" };
const migration = { migrationId: "", documentId: "none", newDocumentId: "new" };
const receipt = { deletionId: "", organizationId: "acme", kind: "activities" };

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

/** Returns the types of the scans of activities in a plan. */
function getScans({ Plans = [], ...node }: Plan): string[] {
  const isScan = node["Relation Name"] === "activities" && node["Node Type"].endsWith("Scan");
  return [...(isScan ? [node["Node Type"]] : []), ...Plans.flatMap(getScans)];
}

test.skipIf(IS_CITUS).each<[string, () => Promise<unknown>]>([
  [
    "the purge of an organization",
    () => purgeOrganizationRows(organization, { name: "activities", key: ["id"] }, "0", undefined),
  ],
  ["the purge of a document", () => purgeDocumentRows(organization, TABLE, { documentId: "none", deleted: MOMENT }, 0)],
  [
    "the purge of documents",
    () => purgeSomeRows(organization, TABLE, { documentIds: ["none"], deleted: MOMENT }, 1_000),
  ],
  [
    "the purge of a user's data",
    () => purgeUserRows(organization, ROWS, { userIds: ["nobody"], accepted: MOMENT, receipt }, [0, 0]),
  ],
  ["the migration of a document", () => moveNextRows(organization, TABLE, migration)],
])("%s looks for the rows of a chunk once, whatever the statistics are", async (_of, purge) => {
  const [statement] = await getStatements(purge);
  const [row] = await runSql<{ "QUERY PLAN": { Plan: Plan }[] }>(database, `explain (format json) ${statement?.text}`, [
    ...(statement?.values ?? []),
  ]);
  const scans = row?.["QUERY PLAN"].flatMap(({ Plan }) => getScans(Plan)) ?? [];
  const [byCtid, others] = [scans.filter((scan) => scan === "Tid Scan"), scans.filter((scan) => scan !== "Tid Scan")];
  expect(byCtid.length).toBeGreaterThan(0);
  expect(others).toHaveLength(1);
});
