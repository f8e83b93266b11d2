import type { OrganizationKey } from "../../../database/keys.ts";
import {
  EMPTY,
  identifier,
  identifiers,
  inferred,
  integer,
  join,
  type Sql,
  sql,
  text,
  unprepared,
  uuid,
} from "../../../database/sql.ts";
import { ALL_RESOURCES, ALL_USERS, removeTokenGrants } from "../../access/grant-queries.ts";
import { OWNED_TABLES, type OwnedTable } from "../../purge/owned-tables.ts";
import { buildKey, buildPurgeOfLockedRows, hasRows, PURGE_CHUNK_ROWS, purging } from "../../purge/purge-queries.ts";
import type {
  CrossTenantScope,
  StoredOrganization,
  TransactionalOrganization,
} from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

/** An organization to be purged, as its job names it. */
interface MarkedOrganization {
  organizationKey: OrganizationKey;
  /** The mark that markDeleted returned. Once the ID is in use again, nothing more is purged. */
  deletedAt: string;
}

/** Returns the organizations that are not purged yet. */
export function selectMarkedOrganizations(scope: CrossTenantScope): Promise<MarkedOrganization[]> {
  return scope.run(
    sql<MarkedOrganization>`select ${KEY_DIGITS} as "organizationKey",
        extract(epoch from deleted_at)::text as "deletedAt"
      from organizations where deleted_at is not null order by organization_key`,
  );
}

function isMarked({ key }: StoredOrganization, deletedAt: string): Sql {
  return sql`exists (select from organizations where organization_key = ${uuid(key)}
    and extract(epoch from deleted_at) = ${text(deletedAt)}::numeric)`;
}

/**
 * Purges the next rows of a marked organization in key order, after the key `after`: starting over would read the rows
 * again that were purged, as long as any transaction can still see them. Skips rows that are locked. Returns the key of
 * the last row, or undefined at the end.
 */
export async function purgeOrganizationRows(
  scope: StoredOrganization,
  { name, key }: OwnedTable,
  deletedAt: string,
  after: string[] | undefined,
): Promise<string[] | undefined> {
  const columns = ["organization_key", ...key];
  const afterCursor = after?.length ? sql`and (${identifiers(key)}) > (${join(after.map(inferred), ", ")})` : EMPTY;
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<{ last: string[] }>`with to_purge as materialized (
        select ${identifiers(columns)}, ctid as row_id from ${identifier(name)}
        where organization_key = ${uuid(scope.key)} and ${isMarked(scope, deletedAt)} ${afterCursor}
        order by ${identifiers(columns)} limit ${integer(PURGE_CHUNK_ROWS)} for update skip locked
      ), purged as (${buildPurgeOfLockedRows(name, scope.key, isDistributed)})
      select ${buildKey(key)} as last from to_purge
      order by ${join(
        columns.map((column) => sql`${identifier(column)} desc`),
        ", ",
      )} limit 1`,
    ),
  );
  return row?.last;
}

/**
 * Deletes the row of a marked organization that owns nothing anymore, and ends all grants in it of tokens issued until
 * then: a new organization may have its ID. Returns whether the mark is gone.
 */
export function deleteEmptyOrganization(organization: TransactionalOrganization, deletedAt: string): Promise<boolean> {
  const isOwn = sql`organization_key = ${uuid(organization.key)}`;
  const isEmpty = OWNED_TABLES.map(
    ({ name, key }) => sql`not ${hasRows(name, isOwn, identifiers(["organization_key", ...key]))}`,
  );
  return organization.transaction(async (transaction) => {
    const [row] = await transaction.run(
      unprepared(
        sql<{ isDeleted: boolean; isGone: boolean }>`with deleted as (
          delete from organizations where ${isOwn} and ${isMarked(transaction, deletedAt)} and ${join(isEmpty, " and ")}
          returning organization_key
        )
        select exists (select 1 from deleted) as "isDeleted", not ${isMarked(transaction, deletedAt)} as "isGone"`,
      ),
    );
    if (!row?.isDeleted) return row?.isGone === true;
    await removeTokenGrants(transaction, {
      userIds: [ALL_USERS],
      resources: [ALL_RESOURCES],
    });
    return true;
  });
}
