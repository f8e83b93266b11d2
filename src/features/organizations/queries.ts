import { plainArray, textArray } from "../../database/array-parameter.ts";
import type { Queryable } from "../../database/database.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import type { SelectValue } from "../../database/shared-select.ts";

/** Why the data of an organization may not be used. */
export type Obstacle = "disabled" | "deleted";

/**
 * An Obstacle or null, for statements whose $1 is an organization key. It is read where the data is read, so it is
 * never stale. An organization that does not exist yet has none.
 */
export const OBSTACLE = `(select ${obstacleOf("organizations")} from organizations
  where organizations.organization_key = $1)`;

/** The same of a row that the statement has already. */
export function obstacleOf(organizations: string): string {
  return `case when ${organizations}.deleted_at is not null then 'deleted'
    when ${organizations}.disabled then 'disabled' end`;
}

export async function selectObstacle(database: Queryable, organizationKey: string): Promise<Obstacle | null> {
  const { rows } = await database.query<{ obstacle: Obstacle | null }>(`select ${OBSTACLE} as obstacle`, [
    organizationKey,
  ]);
  return rows[0]?.obstacle ?? null;
}

/** An organization, or a document of it, that a record is written to. */
export interface Place {
  organizationKey: string;
  workspaceId: string;
  organizationId: string;
  documentId?: string;
}

/**
 * Makes the organization and the document where they are missing, in one statement; returns what stands in the way.
 * The caller's transaction must not be committed when that keeps it from writing. Every writer makes the organization
 * before the document, or two would wait in a circle: PostgreSQL runs such parts from the last to the first.
 */
export async function insertPlace(transaction: Queryable, place: Place): Promise<Obstacle | null> {
  const { rows } = await transaction.query<{ obstacle: Obstacle | null }>(
    `with found as (
       select ${OBSTACLE} as obstacle
     ), new_document as (
       insert into documents (organization_key, document_id)
       select $1, $4
       where $4::text is not null
         and not exists (select from documents where organization_key = $1 and document_id = $4)
       on conflict do nothing
     ), new_organization as (
       insert into organizations (organization_key, workspace_id, organization_id)
       select $1, $2, $3
       where not exists (select from organizations where organization_key = $1)
       on conflict do nothing
     )
     select obstacle from found`,
    [place.organizationKey, place.workspaceId, place.organizationId, place.documentId ?? null],
  );
  return rows[0]?.obstacle ?? null;
}

/**
 * The same for the many calls of one statement, as its first parts; its first parameters are placeParameters. `call`
 * has a row for each, with its `number` from 1, its `obstacle` and the `further` columns, by name and type.
 */
export function enterPlaces(further: Record<string, string> = {}): string {
  const types = ["uuid", "uuid", "text", "text", ...Object.values(further)];
  const names = ["organization_key", "workspace_id", "organization_id", "document_id", ...Object.keys(further)];
  return `call as (
      select call.*, ${obstacleOf("organization")} as obstacle,
        organization.organization_key is null as is_new,
        not exists (select from documents document
          where document.organization_key = call.organization_key
            and document.document_id = call.document_id) as is_new_document
      from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")})
        with ordinality as call (${names.join(", ")}, number)
      left join organizations organization using (organization_key)
    ), new_document as (
      insert into documents (organization_key, document_id)
      select distinct organization_key, document_id from call where is_new_document and obstacle is null
      order by organization_key, document_id
      on conflict do nothing
    ), new_organization as (
      insert into organizations (organization_key, workspace_id, organization_id)
      select distinct organization_key, workspace_id, organization_id from call where is_new
      order by organization_key
      on conflict do nothing
    )`;
}

export function placeParameters(calls: (Place & { documentId: string })[]): unknown[] {
  return [
    plainArray(calls.map(({ organizationKey }) => organizationKey)),
    plainArray(calls.map(({ workspaceId }) => workspaceId)),
    textArray(calls.map(({ organizationId }) => organizationId)),
    textArray(calls.map(({ documentId }) => documentId)),
  ];
}

/** What is missing of a place. */
export async function selectMissing(
  database: Queryable,
  organizationKey: string,
  documentId: string | undefined,
): Promise<{ organization: boolean; document: boolean }> {
  const { rows } = await database.query<{ organization: boolean; document: boolean }>(
    `select not exists (select from organizations where organization_key = $1) as organization,
       $2::text is not null and not exists (
         select from documents where organization_key = $1 and document_id = $2) as document`,
    [organizationKey, documentId ?? null],
  );
  return { organization: rows[0]?.organization ?? true, document: rows[0]?.document ?? true };
}

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
    beside: "null",
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
