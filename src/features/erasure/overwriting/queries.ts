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
  uuids,
} from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { type AccessBlock, documentBlockOf, KEY_DIGITS, organizationOf } from "../../tenancy/queries.ts";
import type { WritingTime } from "../owned-tables.ts";
import { timeOfWriting } from "../queries.ts";

// A row that overwrites one awaiting its purge is a new record, which the purge must not take for the old one. So the
// old one is purged first.

const CREATED: WritingTime = { writtenAt: "created_at" };

/** Returns the condition that a row was deleted with its document and only waits for the purge. */
export function awaitsDocumentPurge(organization: Parameter | Sql, table: string, time = CREATED): Sql {
  const row = identifier(table);
  return sql`coalesce(${timeOfWriting(time, row)} <= (
    select erased_at from document_erasures
    where document_erasures.organization_key = ${organization}
      and document_erasures.document_id = ${row}.document_id), false)`;
}

/** Returns the condition that a row is to be purged with its user. */
function awaitsUserPurge(organization: Parameter | Sql, table: string, time: WritingTime): Sql {
  const row = identifier(table);
  return sql`exists (
    select from user_data_deletions deletion join organizations using (workspace_id)
    where organizations.organization_key = ${organization} and deletion.stage <> 'done'
      and ${row}.user_id = any(deletion.user_ids) and ${timeOfWriting(time, row)} <= deletion.accepted_at
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

/** A row that may exist, by the values of its key. */
interface OverwrittenRow {
  organizationKey: string;
  key: readonly string[];
}

/**
 * Prepares overwriting the rows with these keys: purges those that await the purge of their document or user, and
 * throws PERMISSION_DENIED if one belongs to a disabled document. The rows may be of several organizations; only those
 * with a purge in progress or a disabled document take a statement for each.
 */
export async function prepareOverwriting(
  database: Queryable,
  table: OverwrittenTable,
  overwritten: readonly OverwrittenRow[],
): Promise<void> {
  if (overwritten.length === 0) return;
  const rowsOf = Map.groupBy(overwritten, ({ organizationKey }) => organizationKey);
  for (const organization of await selectSpecial(database, [...rowsOf.keys()])) {
    const rows = rowsOf.get(organization.organizationKey) ?? [];
    assertAccessible(await selectDisabled(database, table, organization, rows), organization.organizationId);
    await purgeOverwritten(database, table, organization, rows);
  }
}

/**
 * Does the same for calls of one organization, each with the keys of the rows that it overwrites. Returns the block of
 * each call that overwrites a row of a disabled document, for which it purges nothing.
 */
export async function prepareOverwritingOfCalls(
  database: Queryable,
  table: OverwrittenTable,
  organizationKey: string,
  calls: readonly (readonly string[][])[],
): Promise<(AccessBlock | null)[]> {
  const isOverwriting = calls.some((keys) => keys.length > 0);
  const [organization] = isOverwriting ? await selectSpecial(database, [organizationKey]) : [];
  const blocks: (AccessBlock | null)[] = [];
  const overwritten: OverwrittenRow[] = [];
  for (const keys of calls) {
    const rows = keys.map((key) => ({ organizationKey, key }));
    const block = organization && rows.length > 0 ? await selectDisabled(database, table, organization, rows) : null;
    blocks.push(block);
    if (!block) overwritten.push(...rows);
  }
  if (organization && overwritten.length > 0) await purgeOverwritten(database, table, organization, overwritten);
  return blocks;
}

/** Purges the rows that await a purge. */
async function purgeOverwritten(
  database: Queryable,
  { name, key, time, purgedWith }: OverwrittenTable,
  { organizationKey, hasPurges }: SpecialOrganization,
  rows: readonly OverwrittenRow[],
): Promise<void> {
  if (!hasPurges) return;
  const [table, columns] = [identifier(name), identifiers(key)];
  const isOverwritten = isAnyOf(organizationKey, key, rows);
  const reasons = purgedWith.map((reason) => AWAITS[reason](uuid(organizationKey), name, time));
  await database.run(
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
function isAnyOf(organizationKey: string, key: readonly string[], rows: readonly OverwrittenRow[]): Sql {
  const isListed = key.map((column, index) => {
    const values = [...new Set(rows.map((row) => row.key[index] ?? null))];
    return sql`and ${identifier(column)} = any(${texts(values)})`;
  });
  return sql`organization_key = ${uuid(organizationKey)} ${join(isListed, " ")}`;
}

const AWAITS = { document: awaitsDocumentPurge, user: awaitsUserPurge };

/** Returns the block of a disabled document that one of the rows belongs to. */
async function selectDisabled(
  database: Queryable,
  { name, key, purgedWith }: OverwrittenTable,
  { organizationKey, hasDisabledDocuments }: SpecialOrganization,
  rows: readonly OverwrittenRow[],
): Promise<AccessBlock | null> {
  if (!hasDisabledDocuments || !purgedWith.includes("document")) return null;
  const [row] = await database.run(
    unprepared(
      sql<{ block: AccessBlock | null }>`select ${documentBlockOf("document")} as block
        from (
          select document_id from ${identifier(name)} where ${isAnyOf(organizationKey, key, rows)}
        ) as overwritten
        join documents document on document.organization_key = ${uuid(organizationKey)}
          and document.document_id = overwritten.document_id and document.disabled
        order by document.document_id limit 1`,
    ),
  );
  return row?.block ?? null;
}

interface SpecialOrganization {
  /** 32 digits. */
  organizationKey: string;
  organizationId: string;
  hasPurges: boolean;
  hasDisabledDocuments: boolean;
}

/** Returns the organizations with a purge of a document or user in progress, or with a disabled document, in order. */
async function selectSpecial(database: Queryable, organizationKeys: string[]): Promise<SpecialOrganization[]> {
  const organization = organizationOf(
    organizationKeys.map((organizationKey) => ({ organizationKey })),
    "organizations.organization_key",
  );
  return database.run(
    sql<SpecialOrganization>`select * from (
      select ${KEY_DIGITS} as "organizationKey", organization_id as "organizationId",
        (exists (select 1 from document_erasures
          where document_erasures.organization_key = ${organization})
        or exists (select 1 from user_data_deletions deletion
          where deletion.workspace_id = organizations.workspace_id and deletion.stage <> 'done')) as "hasPurges",
        exists (select 1 from documents
          where documents.organization_key = ${organization} and documents.disabled) as "hasDisabledDocuments"
      from organizations
      where organization_key = any(${uuids(organizationKeys)})
    ) as organization where "hasPurges" or "hasDisabledDocuments" order by "organizationKey"`,
  );
}
