import type { OrganizationKey } from "../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { boolean, join, sql, texts, uuid, uuids } from "../../database/sql.ts";
import { buildSearch } from "../../database/text-search.ts";
import { ORGANIZATION_TEXTS } from "../search/search-queries.ts";
import type { CrossTenantScope, InTransaction } from "../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../tenancy/tenancy-queries.ts";

/** Expression for the JSON text of an organization: the record as sent or, if none was sent, an empty name. */
const RECORD = sql`coalesce(record::text, '{"organizationName":""}')`;

interface OrganizationRow {
  organizationKey: OrganizationKey;
  organizationId: string;
}

function getKeys(organizations: OrganizationRow[]) {
  return uuids(organizations.map(({ organizationKey }) => organizationKey));
}

function getIds(organizations: OrganizationRow[]) {
  return texts(organizations.map(({ organizationId }) => organizationId));
}

/**
 * Enables or disables organizations and creates those that are missing. Returns the ids of those that are not being
 * deleted. Writes rows in key order to avoid deadlocks.
 */
export async function setDisabled(
  scope: CrossTenantScope,
  workspaceId: string,
  organizations: OrganizationRow[],
  disabled: boolean,
): Promise<Set<string>> {
  const rows = await scope.run(
    sql<{ organizationId: string }>`insert into organizations
        (organization_key, workspace_id, organization_id, disabled)
      select organization_key, ${uuid(workspaceId)}, organization_id, ${boolean(disabled)}
      from unnest(${getKeys(organizations)}, ${getIds(organizations)}) as input (organization_key, organization_id)
      order by organization_key
      on conflict (organization_key) do update set disabled = excluded.disabled
        where organizations.deleted_at is null
      returning organization_id as "organizationId"`,
  );
  return new Set(rows.map(({ organizationId }) => organizationId));
}

/** Inserts organizations with the JSON text of what was sent. Returns the ids of those that did not exist. */
export async function insertOrganizations(
  scope: CrossTenantScope,
  workspaceId: string,
  organizations: (OrganizationRow & { record: string })[],
): Promise<Set<string>> {
  const records = texts(organizations.map(({ record }) => record));
  const rows = await scope.run(
    sql<{ organizationId: string }>`insert into organizations
        (organization_key, workspace_id, organization_id, record, record_bytes)
      select organization_key, ${uuid(workspaceId)}, organization_id, record::json, octet_length(record)
      from unnest(${getKeys(organizations)}, ${getIds(organizations)}, ${records})
        as input (organization_key, organization_id, record)
      order by organization_key
      on conflict do nothing
      returning organization_id as "organizationId"`,
  );
  return new Set(rows.map(({ organizationId }) => organizationId));
}

interface Filters {
  organizationIds?: string[] | undefined;
  /** Part of the id or the name. */
  search?: string | undefined;
}

/** Reads one page of the matching organizations by id, without those that are being deleted. */
export function selectOrganizationPage(
  scope: CrossTenantScope,
  workspaceId: string,
  { organizationIds, search }: Filters,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<null, string>> {
  const conditions = [sql`workspace_id = ${uuid(workspaceId)}`, sql`deleted_at is null`];
  if (organizationIds) conditions.push(sql`organization_id = any(${texts(organizationIds)})`);
  if (search !== undefined) conditions.push(buildSearch(ORGANIZATION_TEXTS, search));
  return selectPageOfRecords(scope, {
    source: sql`from (
      select organization_id, record_bytes, '{"id":' || to_json(organization_id)::text || ',"disabled":' || disabled
        || ',' || right(${RECORD}, -1) as record
      from organizations where ${join(conditions, " and ")}
    ) as organization where true`,
    keys: ["organization_id"],
    keyType: "text",
    order: "asc",
    extra: sql`null`,
    ...page,
  });
}

/**
 * Returns the records of organizations that are not being deleted, by id. Locks rows in key order, each by a statement
 * of its own, as Citus locks rows of one organization at a time.
 */
export async function lockOrganizationRecords(
  scope: InTransaction<CrossTenantScope>,
  organizationKeys: readonly OrganizationKey[],
): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  for (const organizationKey of organizationKeys.toSorted()) {
    const [row] = await scope.run(
      sql<{ id: string; record: string }>`select organization_id as id, ${RECORD} as record
        from organizations where organization_key = ${uuid(organizationKey)} and deleted_at is null for update`,
    );
    if (row) records.set(row.id, row.record);
  }
  return records;
}

/** Replaces the records of locked organizations. */
export async function replaceOrganizationRecords(
  scope: CrossTenantScope,
  organizations: { organizationKey: OrganizationKey; record: string }[],
): Promise<void> {
  const keys = uuids(organizations.map(({ organizationKey }) => organizationKey));
  const records = texts(organizations.map(({ record }) => record));
  await scope.run(
    sql`update organizations set record = merged.record::json, record_bytes = octet_length(merged.record)
      from unnest(${keys}, ${records}) as merged (organization_key, record)
      where organizations.organization_key = merged.organization_key`,
  );
}

/** Marks locked organizations as deleted. Returns the marks, which distinguish this deletion from later ones. */
export async function markDeleted(
  scope: CrossTenantScope,
  organizationKeys: readonly OrganizationKey[],
): Promise<{ organizationKey: OrganizationKey; deletedAt: string }[]> {
  return scope.run(
    sql<{ organizationKey: OrganizationKey; deletedAt: string }>`with marked as (
        update organizations set deleted_at = statement_timestamp()
        where organization_key = any(${uuids(organizationKeys)}) and deleted_at is null
        returning organization_key, deleted_at
      )
      select ${KEY_DIGITS} as "organizationKey", extract(epoch from deleted_at)::text as "deletedAt" from marked`,
  );
}
