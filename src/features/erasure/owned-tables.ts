/** A table whose rows belong to organizations; its primary key starts with organization_key. */
export interface OwnedTable {
  name: string;
  /** The rest of its primary key. */
  key: string[];
  /**
   * Of a table whose rows belong to documents: when a row was last written, in milliseconds since the epoch, as an
   * expression. What is newer than a document's deletion is kept.
   */
  writtenAt?: string;
}

/** Everything that an organization owns, but for its own row. */
export const OWNED_TABLES: readonly OwnedTable[] = [
  { name: "activities", key: ["id"], writtenAt: "created_at" },
  { name: "comment_annotations", key: ["id"], writtenAt: "written_at" },
  {
    name: "comment_reactions",
    key: ["annotation_sequence", "comment_id", "reaction", "user_id"],
    writtenAt: "written_at",
  },
  { name: "comment_reads", key: ["annotation_sequence", "user_id"], writtenAt: "written_at" },
  { name: "comment_users", key: ["annotation_sequence", "role", "user_id"], writtenAt: "written_at" },
  { name: "comments", key: ["annotation_sequence", "id"], writtenAt: "written_at" },
  { name: "crdt_editors", key: ["document_id", "editor_id"], writtenAt: "created_at" },
  { name: "document_erasures", key: ["document_id"] },
  { name: "document_users", key: ["document_id", "user_id"], writtenAt: "written_at" },
  { name: "documents", key: ["document_id"], writtenAt: "floor(extract(epoch from created_at) * 1000)::bigint" },
  { name: "mails", key: ["id"], writtenAt: "created_at" },
  { name: "notification_configs", key: ["user_id", "document_id"], writtenAt: "written_at" },
  { name: "notification_recipients", key: ["sequence", "user_id"], writtenAt: "created_at" },
  { name: "notifications", key: ["id"], writtenAt: "created_at" },
  { name: "presence", key: ["document_id", "user_id"], writtenAt: "last_active" },
  { name: "recordings", key: ["id"], writtenAt: "created_at" },
  { name: "user_group_members", key: ["group_id", "user_id"] },
  { name: "user_groups", key: ["group_id"] },
  { name: "users", key: ["user_id"] },
];
