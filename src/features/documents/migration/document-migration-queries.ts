import type { OrganizationKey } from "../../../database/keys.ts";
import {
  bigint,
  boolean,
  identifier,
  identifiers,
  integer,
  join,
  sql,
  text,
  texts,
  unprepared,
  uuid,
  uuids,
} from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import { DOCUMENT_TABLES, hasRows } from "../../purge/purge-queries.ts";
import {
  type CrossTenantScope,
  type InTransaction,
  type StoredOrganization,
  storedOrganization,
} from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

export const MIGRATION_STATUSES = ["pending", "in_progress", "completed", "failed"] as const;

/** A migration, as its job names it. */
export interface MigrationKey {
  organizationKey: OrganizationKey;
  migrationId: string;
}

/** A migration, and the IDs between which it moves data. */
export interface Migration {
  migrationId: string;
  documentId: string;
  newDocumentId: string;
}

interface MigrationState {
  status: (typeof MIGRATION_STATUSES)[number];
  failure: string | null;
}

export async function selectMigration(
  scope: StoredOrganization,
  migrationId: string,
): Promise<MigrationState | undefined> {
  const [migration] = await scope.run(
    sql<MigrationState>`select status, failure from document_migrations
      where organization_key = ${uuid(scope.key)} and id = ${text(migrationId)}`,
  );
  return migration;
}

/** Returns the migrations that have not ended. */
export function selectUnendedMigrations(scope: CrossTenantScope): Promise<MigrationKey[]> {
  return scope.run(
    sql<MigrationKey>`select ${KEY_DIGITS} as "organizationKey", id as "migrationId"
      from document_migrations where ended_at is null order by organization_key, id`,
  );
}

/** Locks the document that is to be moved. Returns undefined if it does not exist. */
export async function lockOldDocument(
  scope: InTransaction<StoredOrganization>,
  { documentId }: Migration,
): Promise<{ disabled: boolean } | undefined> {
  const [row] = await scope.run(
    sql<{ disabled: boolean }>`select disabled from documents
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)} for update`,
  );
  return row;
}

/** Creates the new document, disabled, where and with the access type of the old one. Returns false if it exists. */
export async function reserveNewDocument(
  scope: StoredOrganization,
  { migrationId, documentId, newDocumentId }: Migration,
): Promise<boolean> {
  const rows = await scope.run(
    sql`insert into documents (organization_key, document_id, disabled, migration_id, folder_id, access_type)
      select ${uuid(scope.key)}, ${text(newDocumentId)}, true, ${text(migrationId)}, folder_id, access_type
      from documents where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
      on conflict do nothing returning 1 as one`,
  );
  return rows.length > 0;
}

/** Disables the locked document that is to be moved. */
export async function disableOldDocument(
  scope: StoredOrganization,
  { migrationId, documentId }: Migration,
): Promise<void> {
  await scope.run(
    sql`update documents set disabled = true, migration_id = ${text(migrationId)}
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`,
  );
}

export async function insertMigration(
  scope: StoredOrganization,
  { migrationId, documentId, newDocumentId }: Migration,
  wasDisabled: boolean,
): Promise<void> {
  const deletions = await scope.run(
    sql<{ id: string }>`select deletion.id from user_data_deletions deletion join organizations using (workspace_id)
      where organizations.organization_key = ${uuid(scope.key)} and deletion.stage <> 'done'
        and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids))`,
  );
  await scope.run(
    sql`insert into document_migrations
        (organization_key, id, from_document_id, to_document_id, was_disabled, deletion_ids)
      values (${uuid(scope.key)}, ${text(migrationId)}, ${text(documentId)}, ${text(newDocumentId)},
        ${boolean(wasDisabled)}, ${uuids(deletions.map(({ id }) => id))})`,
  );
}

/**
 * Returns whether any row belongs to the document besides its own one, or a purge of such rows is pending. Events do
 * not count: they outlive the document that they are about.
 */
export async function isUsed(scope: StoredOrganization, documentId: string): Promise<boolean> {
  const isOfDocument = sql`organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
    and document_id <> ''`;
  const tables = [{ name: "document_purges", key: ["document_id"] }, ...DOCUMENT_TABLES];
  const has = tables
    .filter(({ name }) => name !== "documents" && name !== "events")
    .map(({ name, key }) => hasRows(name, isOfDocument, identifiers(key)));
  const [row] = await scope.run(unprepared(sql<{ isUsed: boolean }>`select ${join(has, " or ")} as "isUsed"`));
  return row?.isUsed === true;
}

/** Returns whether rows of an earlier document with this ID still wait for their purge. */
export async function hasPurge(scope: StoredOrganization, documentId: string): Promise<boolean> {
  const rows = await scope.run(
    sql`select from document_purges
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`,
  );
  return rows.length > 0;
}

/** Returns whether a deletion of users' data that was in progress when the migration began still is. */
export async function hasEarlierDeletion(scope: StoredOrganization, { migrationId }: Migration): Promise<boolean> {
  const rows = await scope.run(
    sql`select 1 as one from document_migrations join user_data_deletions deletion on deletion.id = any(deletion_ids)
      where organization_key = ${uuid(scope.key)} and document_migrations.id = ${text(migrationId)}
        and deletion.stage <> 'done'
      limit 1`,
  );
  return rows.length > 0;
}

/** Locks the rows of both documents. Returns undefined if the migration has ended or they are deleted. */
export async function lockMigration(
  scope: InTransaction<StoredOrganization>,
  migrationId: string,
): Promise<Migration | undefined> {
  const [documents] = await scope.run(
    sql<Omit<Migration, "migrationId">>`select from_document_id as "documentId", to_document_id as "newDocumentId"
      from document_migrations
      where organization_key = ${uuid(scope.key)} and id = ${text(migrationId)} and ended_at is null`,
  );
  if (!documents) return undefined;
  const locked = await scope.run(
    sql`select 1 as one from documents
      where organization_key = ${uuid(scope.key)} and migration_id = ${text(migrationId)}
        and document_id in (${text(documents.documentId)}, ${text(documents.newDocumentId)})
      order by document_id for update`,
  );
  return locked.length === 2 ? { migrationId, ...documents } : undefined;
}

export async function startMoving(scope: StoredOrganization, { migrationId }: Migration): Promise<void> {
  await scope.run(
    sql`update document_migrations set status = 'in_progress'
      where organization_key = ${uuid(scope.key)} and id = ${text(migrationId)}`,
  );
}

/** Ends the migration before it has moved anything. Both documents are as if there had been none. */
export async function failMigration(
  scope: StoredOrganization,
  { migrationId, documentId, newDocumentId }: Migration,
  error: string,
): Promise<void> {
  const wasDisabled = await endMigration(scope, migrationId, "failed", error);
  await scope.run(
    sql`update documents set disabled = ${boolean(wasDisabled)}, migration_id = null
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`,
  );
  await scope.run(
    sql`update documents set disabled = false, migration_id = null, folder_id = null, access_type = null
      where organization_key = ${uuid(scope.key)} and document_id = ${text(newDocumentId)}`,
  );
}

/** Gives the new document what the row of the old one says, deletes that, and ends the migration. */
export async function completeMigration(
  scope: StoredOrganization,
  { migrationId, documentId, newDocumentId }: Migration,
): Promise<void> {
  const wasDisabled = await endMigration(scope, migrationId, "completed", null);
  const columns = ["created_at", "record", "record_bytes", "folder_id", "access_type"];
  const values = columns.map((column) => sql`${identifier(column)} = ${identifier(`old.${column}`)}`);
  await scope.run(
    sql`update documents set ${join(values, ", ")}, disabled = ${boolean(wasDisabled)}, migration_id = null
      from documents old
      where documents.organization_key = ${uuid(scope.key)} and documents.document_id = ${text(newDocumentId)}
        and old.organization_key = ${uuid(scope.key)} and old.document_id = ${text(documentId)}`,
  );
  await scope.run(
    sql`delete from documents
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`,
  );
}

/** Ends the migration. Returns whether its document was disabled before. */
async function endMigration(
  scope: StoredOrganization,
  migrationId: string,
  status: MigrationState["status"],
  error: string | null,
): Promise<boolean> {
  const [row] = await scope.run(
    sql<{ wasDisabled: boolean }>`update document_migrations
      set status = ${text(status)}, failure = ${text(error)}, ended_at = ${NOW_MS}
      where organization_key = ${uuid(scope.key)} and id = ${text(migrationId)}
      returning was_disabled as "wasDisabled"`,
  );
  return row?.wasDisabled === true;
}

/** Deletes at most `limit` migrations that ended before a time, those of each organization by a statement. */
export async function deleteMigrationsBefore(scope: CrossTenantScope, endedAt: number, limit: number): Promise<number> {
  const expired = await scope.run(
    sql<MigrationKey>`select ${KEY_DIGITS} as "organizationKey", id as "migrationId"
      from document_migrations where ended_at < ${bigint(endedAt)} order by ended_at limit ${integer(limit)}`,
  );
  for (const [key, migrations] of Map.groupBy(expired, ({ organizationKey }) => organizationKey)) {
    const ids = migrations.map(({ migrationId }) => migrationId);
    await deleteMigrations(storedOrganization(scope, key), ids);
  }
  return expired.length;
}

async function deleteMigrations(scope: StoredOrganization, ids: string[]): Promise<void> {
  await scope.run(
    sql`delete from document_migrations where organization_key = ${uuid(scope.key)} and id = any(${texts(ids)})`,
  );
}
