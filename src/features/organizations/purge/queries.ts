import type { Queryable } from "../../../database/database.ts";
import { OWNED_TABLES, type OwnedTable } from "../../erasure/owned-tables.ts";
import { CHUNK_ROWS, hasRows, purgeLockedRows } from "../../erasure/queries.ts";

export interface MarkedOrganization {
  organizationKey: string;
  /** As markDeleted returned it: once the id is in use again, nothing more is erased. */
  deletedAt: string;
}

const IS_MARKED = `exists (select from organizations
  where organization_key = $1 and extract(epoch from deleted_at) = $2::numeric)`;

/**
 * Deletes the next rows of a marked organization, in the order of the key, behind `after`: starting over would read
 * again what was deleted, as long as any transaction can still see it. Rows that somebody has locked are passed over.
 * Returns the key of the last row, or undefined when the end is reached.
 */
export async function purgeOrganizationRows(
  database: Queryable,
  { name, key }: OwnedTable,
  { organizationKey, deletedAt }: MarkedOrganization,
  after: string[] | undefined,
): Promise<string[] | undefined> {
  const behind = after ? `and (${key.join(", ")}) > (${key.map((_, index) => `$${index + 3}`).join(", ")})` : "";
  const { rows } = await database.unprepared<{ last: string[] }>(
    `with victim as materialized (
       select ${key.join(", ")}, ctid as row_id from ${name}
       where organization_key = $1 and ${IS_MARKED} ${behind}
       order by ${key.join(", ")} limit ${CHUNK_ROWS} for update skip locked
     ), erased as (${purgeLockedRows(name)})
     select array[${key.map((column) => `${column}::text`).join(", ")}] as last from victim
     order by ${key.map((column) => `${column} desc`).join(", ")} limit 1`,
    [organizationKey, deletedAt, ...(after ?? [])],
  );
  return rows[0]?.last;
}

/** Deletes the row of a marked organization that owns nothing any more. Returns whether the mark is gone. */
export async function deleteEmptyOrganization(
  database: Queryable,
  { organizationKey, deletedAt }: MarkedOrganization,
): Promise<boolean> {
  const isEmpty = OWNED_TABLES.map(({ name, key }) => `not ${hasRows(name, "organization_key = $1", key)}`);
  const { rows } = await database.unprepared<{ isGone: boolean }>(
    `with deleted as (
       delete from organizations where organization_key = $1 and ${IS_MARKED} and ${isEmpty.join(" and ")}
       returning organization_key
     )
     select exists (select from deleted) or not ${IS_MARKED} as "isGone"`,
    [organizationKey, deletedAt],
  );
  return rows[0]?.isGone === true;
}
