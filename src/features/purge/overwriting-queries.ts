import type { OrganizationKey } from "../../database/keys.ts";
import {
  identifier,
  identifiers,
  join,
  type Parameter,
  type Sql,
  sql,
  texts,
  unprepared,
  uuid,
} from "../../database/sql.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildDocumentBlock } from "../tenancy/tenancy-queries.ts";
import type { WritingTime } from "./owned-tables.ts";
import { existedAt } from "./purge-queries.ts";

// A row that overwrites one awaiting its purge is a new record, which the purge must not take for the old one. So the
// old one is purged first.

const CREATED: WritingTime = { writtenAt: "created_at" };

/** Returns the condition that a row was deleted with its document and only waits for the purge. */
export function awaitsDocumentPurge(organization: Parameter | Sql, table: string, time = CREATED): Sql {
  const row = identifier(table);
  const deleted = { time: sql`document_purges.deleted_at`, transactionId: sql`document_purges.deleted_in` };
  return sql`coalesce((
    select ${existedAt(time, deleted, row)} from document_purges
    where document_purges.organization_key = ${organization}
      and document_purges.document_id = ${row}.document_id), false)`;
}

/** Returns the condition that a row is to be purged with its user. */
function awaitsUserPurge(organization: Parameter | Sql, table: string, time: WritingTime): Sql {
  const row = identifier(table);
  const accepted = { time: sql`deletion.accepted_at`, transactionId: sql`deletion.accepted_in` };
  return sql`exists (
    select from user_data_deletions deletion join organizations using (workspace_id)
    where organizations.organization_key = ${organization} and deletion.stage <> 'done'
      and ${row}.user_id = any(deletion.user_ids) and ${existedAt(time, accepted, row)}
      and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids)))`;
}

interface OverwrittenTable {
  name: string;
  /** The other columns of the primary key. */
  key: readonly string[];
  time: WritingTime;
  /** The purges that may delete the rows. */
  purgedWith: readonly ("document" | "user")[];
}

/** The values of the key of a row that may exist. */
type RowKey = readonly string[];

/**
 * Prepares overwriting the rows of an organization with these keys: purges those that await the purge of their document
 * or user, and throws PERMISSION_DENIED if one belongs to a disabled document.
 */
export async function prepareOverwriting(
  scope: StoredOrganization,
  table: OverwrittenTable,
  keys: readonly RowKey[],
): Promise<void> {
  const organization = keys.length > 0 ? await selectIfSpecial(scope) : undefined;
  if (!organization) return;
  assertAccessible(await selectDisabled(scope, table, organization, keys), organization.organizationId);
  await purgeOverwritten(scope, table, organization, keys);
}

/**
 * Purges the rows of an organization with these keys that await the purge of their document or user. For tables whose
 * other rows are not overwritten: it rejects nothing, so it does not show callers that a row is in a disabled document.
 */
export async function purgeAwaiting(
  scope: StoredOrganization,
  table: OverwrittenTable,
  keys: readonly RowKey[],
): Promise<void> {
  const organization = keys.length > 0 ? await selectIfSpecial(scope) : undefined;
  if (organization) await purgeOverwritten(scope, table, organization, keys);
}

/**
 * Prepares overwriting by several calls, each with the keys of its rows. Returns the access block of each call that
 * overwrites a row of a disabled document, for which it purges nothing.
 */
export async function prepareOverwritingOfCalls(
  scope: StoredOrganization,
  table: OverwrittenTable,
  calls: readonly (readonly RowKey[])[],
): Promise<(AccessBlock | null)[]> {
  const isOverwriting = calls.some((keys) => keys.length > 0);
  const organization = isOverwriting ? await selectIfSpecial(scope) : undefined;
  const blocks: (AccessBlock | null)[] = [];
  const overwritten: RowKey[] = [];
  for (const keys of calls) {
    const block = organization && keys.length > 0 ? await selectDisabled(scope, table, organization, keys) : null;
    blocks.push(block);
    if (!block) overwritten.push(...keys);
  }
  if (organization && overwritten.length > 0) await purgeOverwritten(scope, table, organization, overwritten);
  return blocks;
}

/** Purges the rows that await a purge. */
async function purgeOverwritten(
  scope: StoredOrganization,
  { name, key, time, purgedWith }: OverwrittenTable,
  { hasPurges }: SpecialOrganization,
  rows: readonly RowKey[],
): Promise<void> {
  if (!hasPurges) return;
  const [table, columns] = [identifier(name), identifiers(key)];
  const isOverwritten = matchesAnyKey(scope.key, key, rows);
  const reasons = purgedWith.map((reason) => AWAITS[reason](uuid(scope.key), name, time));
  await scope.run(
    unprepared(
      sql`with to_purge as (
          select ${columns} from ${table} where ${isOverwritten} and (${join(reasons, " or ")})
          order by ${columns} for update
        )
        delete from ${table} where ${isOverwritten} and (${columns}) in (select ${columns} from to_purge)`,
    ),
  );
}

/**
 * Returns the condition that a row has one of the keys. It compares lists of the columns' values, so that an index
 * finds the rows; any others that they match await a purge too.
 */
function matchesAnyKey(organizationKey: OrganizationKey, key: readonly string[], rows: readonly RowKey[]): Sql {
  const isListed = key.map((column, index) => {
    const values = [...new Set(rows.map((row) => row[index] ?? null))];
    return sql`and ${identifier(column)} = any(${texts(values)})`;
  });
  return sql`organization_key = ${uuid(organizationKey)} ${join(isListed, " ")}`;
}

const AWAITS = { document: awaitsDocumentPurge, user: awaitsUserPurge };

/** Returns the block of a disabled document that one of the rows belongs to. */
async function selectDisabled(
  scope: StoredOrganization,
  { name, key, purgedWith }: OverwrittenTable,
  { hasDisabledDocuments }: SpecialOrganization,
  rows: readonly RowKey[],
): Promise<AccessBlock | null> {
  if (!hasDisabledDocuments || !purgedWith.includes("document")) return null;
  const [row] = await scope.run(
    unprepared(
      sql<{ block: AccessBlock | null }>`select ${buildDocumentBlock("document")} as block
        from (
          select document_id from ${identifier(name)} where ${matchesAnyKey(scope.key, key, rows)}
        ) as overwritten
        join documents document on document.organization_key = ${uuid(scope.key)}
          and document.document_id = overwritten.document_id and document.disabled
        order by document.document_id limit 1`,
    ),
  );
  return row?.block ?? null;
}

interface SpecialOrganization {
  organizationId: string;
  hasPurges: boolean;
  hasDisabledDocuments: boolean;
}

/** Returns the organization if it has a purge of a document or user in progress, or a disabled document. */
async function selectIfSpecial(scope: StoredOrganization): Promise<SpecialOrganization | undefined> {
  const organization = uuid(scope.key);
  const [row] = await scope.run(
    sql<SpecialOrganization>`select * from (
      select organization_id as "organizationId",
        (exists (select 1 from document_purges
          where document_purges.organization_key = ${organization})
        or exists (select 1 from user_data_deletions deletion
          where deletion.workspace_id = organizations.workspace_id and deletion.stage <> 'done')) as "hasPurges",
        exists (select 1 from documents
          where documents.organization_key = ${organization} and documents.disabled) as "hasDisabledDocuments"
      from organizations
      where organization_key = ${organization}
    ) as organization where "hasPurges" or "hasDisabledDocuments"`,
  );
  return row;
}
