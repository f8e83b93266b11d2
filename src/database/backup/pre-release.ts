import type pg from "pg";
import type { Manifest, Table } from "./manifest.ts";

/** The first and the last migration of pre-release versions. */
const FIRST_MIGRATION = "0001_foundation.sql";
const LAST_MIGRATION = "0064_add_activities_and_events.sql";

/** The last of the migrations that create the first tables of this version. */
const LAST_OF_BASELINE = "0011_files.sql";

/** Tables of pre-release versions whose rows are in others. */
const REPLACED_TABLES = ["document_users"];

/** Current names of tables, by those in backups of pre-release versions. */
const CURRENT_TABLES = new Map([
  ["crdt_editors", "crdt_documents"],
  ["crdt_unreported", "crdt_unreported_changes"],
  ["document_erasures", "document_purges"],
  ["held_notifications", "delayed_notifications"],
]);
/** Current names of columns, by `table.column` in backups of pre-release versions. */
const CURRENT_COLUMNS = new Map([
  ["document_erasures.erased_at", "deleted_at"],
  ["held_notifications.held_at", "delayed_at"],
  ["idempotency_keys.answer", "response"],
  ["mails.people", "other_user_ids"],
  ["notification_recipients.in_list", "in_inbox"],
]);
/** Values of pre-release versions that have another name in this one. */
const RENAMED_VALUES = [
  { table: "user_data_deletions", column: "stage", from: "erasing", to: "purging" },
  { table: "user_data_receipts", column: "kind", from: "heldNotifications", to: "delayedNotifications" },
  { table: "webhook_messages", column: "status", from: "withdrawn", to: "canceled" },
];

/** Whether a pre-release version has made the backup. */
export function isPreRelease({ migrations }: Manifest): boolean {
  return migrations.includes(FIRST_MIGRATION);
}

/** Throws an error unless the backup is of the last pre-release version. */
export function assertLastPreRelease({ migrations }: Manifest): void {
  if (migrations.includes(LAST_MIGRATION)) return;
  throw new Error(
    `The backup is of a pre-release version without the migration ${LAST_MIGRATION}. ` +
      "Restore it with the last pre-release version, and restore a backup of that one.",
  );
}

/** Whether a pre-release version has made the backup whose rows are not as this version writes them. */
export function needsAdoption(manifest: Manifest): boolean {
  return isPreRelease(manifest) || manifest.tables.some(hasFormerName);
}

function hasFormerName({ name, columns }: Table): boolean {
  return CURRENT_TABLES.has(name) || columns.some((column) => CURRENT_COLUMNS.has(`${name}.${column}`));
}

/** Returns the current name of a table in a backup. */
export function getCurrentTable(name: string): string {
  return CURRENT_TABLES.get(name) ?? name;
}

/** Returns the manifest as if this version had made the backup when it had only its first migrations. */
export function adoptManifest(manifest: Manifest, known: readonly string[]): Manifest {
  return {
    ...manifest,
    migrations: known.filter((name) => name <= LAST_OF_BASELINE),
    tables: manifest.tables.filter(({ name }) => !REPLACED_TABLES.includes(name)).map(adoptTable),
  };
}

function adoptTable({ name, columns, ...content }: Table): Table {
  return {
    ...content,
    name: getCurrentTable(name),
    columns: columns.map((column) => CURRENT_COLUMNS.get(`${name}.${column}`) ?? column),
  };
}

/** Removes the values of columns that `kept` does not name from rows in COPY's text format, which escapes tabs. */
export function dropColumns(rows: Uint8Array, { columns }: Table, kept: readonly string[]): Uint8Array {
  if (columns.every((column) => kept.includes(column))) return rows;
  const isKept = columns.map((column) => kept.includes(column));
  // Latin-1 maps each byte to one character and back.
  const lines = Buffer.from(rows).toString("latin1").split("\n");
  const shortened = lines.map((line) =>
    line
      .split("\t")
      .filter((_, index) => isKept[index])
      .join("\t"),
  );
  return Buffer.from(shortened.join("\n"), "latin1");
}

/** Completes the rows as this version writes them. */
export async function adoptRows(client: pg.ClientBase): Promise<void> {
  // These requests were in progress. Each is carried out when it is repeated.
  await client.query("delete from idempotency_keys where response is null");
  // It was not always recorded, and is true by default.
  await client.query("update notifications set notify_all = true where notify_all is null");
  for (const { table, column, from, to } of RENAMED_VALUES) {
    await client.query(`update ${table} set ${column} = $1 where ${column} = $2`, [to, from]);
  }
}
