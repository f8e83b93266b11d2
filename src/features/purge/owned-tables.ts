/** Columns of the time at which a row was last written, in milliseconds since the epoch. */
export interface WritingTime {
  writtenAt: string;
  /** Whether `writtenAt` is a timestamp instead of milliseconds since the epoch. */
  isTimestamp?: true;
  /** Column of the time of writing of rows to which the caller gave an earlier `writtenAt`; null for others. */
  writtenLaterAt?: string;
}

/**
 * A table whose rows belong to organizations. It has a time of writing if the rows belong to documents: rows that are
 * newer than the deletion of their document are kept. Its primary key starts with organization_key.
 */
export interface OwnedTable extends Partial<WritingTime> {
  name: string;
  /** The other columns of its primary key. */
  key: string[];
  /** The column that names the document, if `document_id` is generated from it. */
  documentColumn?: string;
  /** Whether `metadata.documentId` of the column `record` repeats the document's ID. The key is then `id`. */
  hasMetadata?: true;
}

/** Columns of the time of writing of records whose time the caller may set. */
export const IMPORTABLE: WritingTime = { writtenAt: "created_at", writtenLaterAt: "written_at" };

/** Every table of an organization's data except organizations itself. */
export const OWNED_TABLES: readonly OwnedTable[] = [
  { name: "activities", key: ["id"], ...IMPORTABLE, hasMetadata: true },
  { name: "annotation_counters", key: ["document_id"], writtenAt: "written_at" },
  { name: "comment_annotations", key: ["id"], writtenAt: "written_at", hasMetadata: true },
  {
    name: "comment_reactions",
    key: ["annotation_sequence", "comment_id", "reaction", "user_id"],
    writtenAt: "written_at",
  },
  { name: "comment_reads", key: ["annotation_sequence", "user_id"], writtenAt: "written_at" },
  { name: "comment_users", key: ["annotation_sequence", "role", "user_id"], writtenAt: "written_at" },
  { name: "comments", key: ["annotation_sequence", "id"], writtenAt: "written_at" },
  { name: "crdt_authors", key: ["document_id", "editor_id", "user_id"], writtenAt: "written_at" },
  { name: "crdt_documents", key: ["document_id", "editor_id"], writtenAt: "created_at" },
  { name: "crdt_edits", key: ["document_id", "editor_id"], writtenAt: "changed_at" },
  { name: "crdt_unreported_changes", key: ["document_id", "editor_id"], writtenAt: "since" },
  { name: "crdt_updates", key: ["document_id", "editor_id", "id"], writtenAt: "written_at" },
  { name: "crdt_versions", key: ["document_id", "editor_id", "id"], writtenAt: "created_at" },
  { name: "delayed_notifications", key: ["id"], writtenAt: "delayed_at" },
  { name: "document_migrations", key: ["id"] },
  { name: "document_purges", key: ["document_id"] },
  { name: "documents", key: ["document_id"], writtenAt: "created_at", isTimestamp: true },
  { name: "event_positions", key: [] },
  { name: "events", key: ["position"], writtenAt: "created_at" },
  { name: "files", key: ["id"] },
  { name: "folders", key: ["folder_id"] },
  {
    name: "grants",
    key: ["user_id", "resource_type", "resource_id"],
    writtenAt: "written_at",
    documentColumn: "resource_id",
  },
  { name: "live_states", key: ["document_id", "live_state_id"], writtenAt: "updated_at" },
  { name: "mail_deliveries", key: ["id"], writtenAt: "created_at" },
  { name: "mails", key: ["id"], writtenAt: "created_at" },
  { name: "notification_configs", key: ["user_id", "document_id"], writtenAt: "written_at" },
  { name: "notification_recipients", key: ["sequence", "user_id"], ...IMPORTABLE },
  { name: "notifications", key: ["id"], ...IMPORTABLE, hasMetadata: true },
  { name: "presence", key: ["document_id", "user_id"], writtenAt: "last_active" },
  { name: "presence_connections", key: ["document_id", "user_id", "process_id"], writtenAt: "connected_at" },
  { name: "private_annotation_tombstones", key: ["id"], writtenAt: "deleted_at" },
  { name: "recordings", key: ["id"], writtenAt: "created_at", hasMetadata: true },
  // A token may outlive its document, so the deletion of the document leaves them.
  { name: "removed_token_grants", key: ["user_id", "resource_type", "resource_id"] },
  { name: "user_group_members", key: ["group_id", "user_id"] },
  { name: "user_groups", key: ["group_id"] },
  { name: "users", key: ["user_id"] },
  { name: "webhook_dispatches", key: [] },
  { name: "webhook_messages", key: ["id"], writtenAt: "created_at" },
];
