import type { Queryable } from "../../database/database.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import type { SelectValue } from "../../database/shared-select.ts";

/** The text of what was sent of an organization; of one that nobody has described yet, a name without letters. */
const RECORD = `coalesce(record::text, '{"organizationName":""}')`;

interface OrganizationRow {
  organizationKey: string;
  organizationId: string;
}

/**
 * Creates those that are missing; returns the ids of those that are not being deleted.
 * In the order of the keys, so that two calls never wait for each other in a circle.
 */
export async function setDisabled(
  database: Queryable,
  workspaceId: string,
  organizations: OrganizationRow[],
  disabled: boolean,
): Promise<Set<string>> {
  const { rows } = await database.query<{ organizationId: string }>(
    `insert into organizations (organization_key, workspace_id, organization_id, disabled)
     select organization_key, $1, organization_id, $4
     from unnest($2::uuid[], $3::text[]) as given (organization_key, organization_id)
     order by organization_key
     on conflict (organization_key) do update set disabled = excluded.disabled
       where organizations.deleted_at is null
     returning organization_id as "organizationId"`,
    [workspaceId, ...columnsOf(organizations), disabled],
  );
  return new Set(rows.map(({ organizationId }) => organizationId));
}

/** `record` is the JSON text of what was sent. Returns the ids of those that did not exist. */
export async function insertOrganizations(
  database: Queryable,
  workspaceId: string,
  organizations: (OrganizationRow & { record: string })[],
): Promise<Set<string>> {
  const { rows } = await database.query<{ organizationId: string }>(
    `insert into organizations (organization_key, workspace_id, organization_id, record, record_bytes)
     select organization_key, $1, organization_id, record::json, octet_length(record)
     from unnest($2::uuid[], $3::text[], $4::text[]) as given (organization_key, organization_id, record)
     order by organization_key
     on conflict do nothing
     returning organization_id as "organizationId"`,
    [workspaceId, ...columnsOf(organizations), organizations.map(({ record }) => record)],
  );
  return new Set(rows.map(({ organizationId }) => organizationId));
}

interface Filters {
  organizationIds?: string[] | undefined;
  /** How an id or a name begins. */
  search?: string | undefined;
}

/** One page by id of what matches every filter, without those that are being deleted. */
export async function selectPage(
  database: Queryable,
  workspaceId: string,
  { organizationIds, search }: Filters,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<null, string>> {
  const values: SelectValue[] = [workspaceId];
  const conditions = ["workspace_id = $1", "deleted_at is null"];
  if (organizationIds) conditions.push(`organization_id = any($${values.push(organizationIds)})`);
  if (search !== undefined) conditions.push(`organization_key in (${beginningWith(`$${values.push(search)}::text`)})`);
  return selectPageOfRecords(database, {
    source: `from (
      select organization_id, record_bytes, '{"id":' || to_json(organization_id)::text || ',"disabled":' || disabled
        || ',' || substr(${RECORD}, 2) as record
      from organizations where ${conditions.join(" and ")}
    ) as organization where true`,
    keys: ["organization_id"],
    order: "asc",
    values,
    extra: "null",
    ...page,
  });
}

/** The keys of the workspace $1; each of the two is a range of an index. */
function beginningWith(beginning: string): string {
  const keys = (column: string, from: string) =>
    `select organization_key from organizations
     where workspace_id = $1 and ${column} >= ${from} and ${column} < ${from} || chr(1114111)`;
  return `${keys("organization_id", beginning)} union ${keys("name", `lower(${beginning} collate "C")`)}`;
}

/** Records by id, of those that are not being deleted. Locks in the order of the keys. */
export async function lockRecords(transaction: Queryable, organizationKeys: string[]): Promise<Map<string, string>> {
  const { rows } = await transaction.query<{ id: string; record: string }>(
    `select organization_id as id, ${RECORD} as record
     from organizations where organization_key = any($1) and deleted_at is null order by organization_key for update`,
    [organizationKeys],
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Of locked organizations. */
export async function replaceRecords(
  transaction: Queryable,
  organizations: { organizationKey: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `update organizations set record = merged.record::json, record_bytes = octet_length(merged.record)
     from unnest($1::uuid[], $2::text[]) as merged (organization_key, record)
     where organizations.organization_key = merged.organization_key`,
    [organizations.map(({ organizationKey }) => organizationKey), organizations.map(({ record }) => record)],
  );
}

/** Of locked organizations. Returns the mark of each, which tells this deletion from a later one of the same id. */
export async function markDeleted(
  transaction: Queryable,
  organizationKeys: string[],
): Promise<{ organizationKey: string; deletedAt: string }[]> {
  const { rows } = await transaction.query<{ organizationKey: string; deletedAt: string }>(
    `update organizations set deleted_at = statement_timestamp()
     where organization_key = any($1) and deleted_at is null
     returning organization_key as "organizationKey", extract(epoch from deleted_at)::text as "deletedAt"`,
    [organizationKeys],
  );
  return rows;
}

function columnsOf(organizations: OrganizationRow[]): string[][] {
  return [
    organizations.map(({ organizationKey }) => organizationKey),
    organizations.map(({ organizationId }) => organizationId),
  ];
}
