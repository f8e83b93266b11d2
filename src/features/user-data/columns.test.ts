import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { NotificationConfig } from "../workspaces/notification-config/notification-config.ts";
import { DECLARED_KINDS } from "./kinds.ts";

const { database } = await createTestDatabase();

/** Columns that cannot contain a user's ID, name or address. */
const IMPERSONAL: { [table: string]: string[] } = {
  activities: [
    ...[
      "organization_key",
      "id",
      "document_id",
      "feature_type",
      "action_type",
      "created_at",
      "written_at",
      "sequence",
      "record_bytes",
    ],
  ],
  allowed_domains: ["workspace_id", "domain", "created_at"],
  annotation_counters: ["organization_key", "document_id", "last_number", "written_at"],
  audit_entries: ["sequence", "workspace_id", "created_at", "action", "record_bytes"],
  auth_tokens: [
    "id",
    "workspace_id",
    "token_hash",
    "scopes",
    "created_at",
    "expires_at",
    "last_used_at",
    "last_characters",
  ],
  comment_annotations: [
    ...["organization_key", "id", "sequence", "document_id", "location_id", "status_id", "created_at", "updated_at"],
    ...["written_at", "last_comment_id", "latest_comment", "record_bytes", "annotation_number", "suggestion_status"],
    ...["agent_type", "agent_source", "anchor_editor_id"],
  ],
  comment_reactions: [
    ...["organization_key", "annotation_sequence", "comment_id", "reaction", "document_id", "written_at"],
    ...["created_at", "sequence"],
  ],
  comment_reads: ["organization_key", "annotation_sequence", "latest_comment", "read_at", "document_id", "written_at"],
  comment_users: ["organization_key", "annotation_sequence", "role", "document_id", "created_at", "written_at"],
  comments: [
    ...["organization_key", "annotation_sequence", "id", "sequence", "document_id", "written_at", "created_at"],
    ...["record_bytes", "dated_at", "last_updated", "is_updated", "is_text_available", "has_attachments"],
    ...["has_tagged_users", "has_agent", "had_reactions"],
  ],
  crdt_authors: ["organization_key", "document_id", "editor_id", "id", "written_at"],
  crdt_documents: [
    ...["organization_key", "document_id", "editor_id", "type", "content_key", "version", "client_id", "record_bytes"],
    ...["created_at", "updated_at", "attributions", "updated_by", "recent_authors"],
  ],
  crdt_edits: [
    ...["organization_key", "document_id", "editor_id", "since", "changed_at", "interval_ms", "is_left"],
    ...["claimed_until", "due_at"],
  ],
  crdt_unreported_changes: ["organization_key", "document_id", "editor_id", "since"],
  crdt_updates: ["organization_key", "document_id", "editor_id", "id", "client_id", "author_id", "written_at"],
  crdt_versions: [
    "organization_key",
    "document_id",
    "editor_id",
    "id",
    "client_id",
    "authors",
    "created_at",
    "document_version",
    "expires_at",
  ],
  delayed_notifications: [
    ...["organization_key", "id", "event_id", "document_id", "annotation_id", "comment_id", "delayed_at", "ready_at"],
    ...["due_at", "is_user_due", "next_at", "document_max", "user_max"],
  ],
  document_migrations: [
    ...["organization_key", "id", "from_document_id", "to_document_id", "status", "failure", "was_disabled"],
    ...["deletion_ids", "ended_at"],
  ],
  document_purges: ["organization_key", "document_id", "deleted_at", "deleted_in"],
  documents: [
    "organization_key",
    "document_id",
    "created_at",
    "record_bytes",
    "folder_id",
    "access_type",
    "disabled",
    "migration_id",
  ],
  email_configs: ["workspace_id", "api_key"],
  event_positions: ["organization_key", "position", "expired_until"],
  events: ["organization_key", "position", "created_at", "kind", "document_id", "audience"],
  files: [
    ...["organization_key", "id", "content_type", "size", "checksum", "created_at", "uploaded_at"],
    ...["annotation_sequence", "comment_id", "recording_id", "removed_at"],
  ],
  folders: [
    ...["organization_key", "folder_id", "parent_folder_id", "path", "access_type", "effective_access_type"],
    ...["definer_depth", "created_at", "updated_at"],
  ],
  grants: [
    ...["organization_key", "resource_type", "resource_id", "access_role", "expires_at", "written_at", "document_id"],
    "is_added",
  ],
  live_states: ["organization_key", "document_id", "live_state_id", "record_bytes", "updated_at"],
  login_attempts: ["subject_hash", "times", "last_at"],
  login_links: ["token_hash", "expires_at"],
  mail_deliveries: [
    ...["organization_key", "id", "workspace_id", "document_id", "annotation_ids", "triggers", "state", "attempts"],
    ...["created_at", "updated_at"],
  ],
  mails: ["organization_key", "id", "workspace_id", "document_id", "annotation_ids", "created_at", "taken_at"],
  migrations: ["name", "checksum", "applied_at", "oldest_version"],
  notification_configs: [
    ...["organization_key", "document_id", "inbox", "email", "slack", "unsubscribed_at", "written_at"],
  ],
  notification_recipients: [
    ...["organization_key", "sequence", "document_id", "location_id", "created_at", "written_at", "read_at"],
    ...["in_inbox", "archived_at"],
  ],
  notifications: [
    ...["organization_key", "id", "document_id", "location_id", "notify_all", "created_at", "written_at", "sequence"],
    ...["record_bytes", "subjects"],
  ],
  organizations: [
    ...["organization_key", "workspace_id", "organization_id", "disabled", "deleted_at", "created_at", "record_bytes"],
  ],
  presence: ["organization_key", "document_id", "status", "last_active", "active_hour", "is_changed", "heartbeat_at"],
  presence_connections: ["organization_key", "document_id", "process_id", "connected_at"],
  presence_processes: ["process_id", "beat", "is_dead"],
  private_annotation_tombstones: ["organization_key", "id", "document_id", "deleted_at", "is_private"],
  recordings: ["organization_key", "id", "document_id", "created_at", "sequence", "latest_version", "record_bytes"],
  removed_token_grants: ["organization_key", "resource_type", "resource_id", "number", "removed_at"],
  request_log: ["sequence", "workspace_id", "created_at", "is_rejected", "count"],
  revoked_auth_tokens: [
    ...["id", "workspace_id", "token_hash", "scopes", "created_at", "expires_at", "last_used_at", "last_characters"],
    "revoked_at",
  ],
  sessions: ["id", "token_hash", "created_at", "last_used_at", "expires_at"],
  user_data_deletions: [
    ...["id", "workspace_id", "organization_ids", "accepted_at", "accepted_in", "tasks_count", "tasks_done"],
    ...["last_task_completed_at", "stage", "position", "kinds"],
  ],
  user_data_receipts: ["deletion_id", "organization_id", "kind", "deleted", "stripped"],
  idempotency_keys: ["workspace_id", "key_hash", "request_hash", "created_at"],
  user_group_members: ["organization_key", "group_id", "written_at"],
  user_groups: ["organization_key", "group_id"],
  users: ["organization_key", "record_bytes", "written_at"],
  user_token_revocations: ["workspace_id", "number", "revoked_at"],
  webhook_configs: ["workspace_id", "auth_token", "basic_since", "advanced_since"],
  webhook_dispatches: ["organization_key", "position"],
  webhook_endpoints: [
    ...["id", "workspace_id", "disabled", "secret", "previous_secret", "previous_until", "active_since"],
    ...["failing_since", "last_failed_at", "created_at", "updated_at"],
  ],
  secret_key_fingerprints: ["id", "fingerprint"],
  webhook_leases: ["target", "holder", "ends_at"],
  webhook_messages: [
    ...["organization_key", "id", "workspace_id", "target", "document_id", "position", "created_at", "next_at"],
    ...["status", "failures"],
  ],
  workspace_mails: ["workspace_id", "id", "kind", "state", "attempts", "created_at", "updated_at"],
  workspaces: [
    ...["id", "api_key", "api_key_hash", "activity_service_enabled", "created_at", "activities_immutable"],
    ...["activity_service_enabled_at", "default_document_access_type"],
    ...["notification_config", "is_context_enabled", "require_jwt_token", "require_auto_org_user"],
    ...["show_user_emails", "automatic_version_minutes", "automatic_version_days"],
    ...["private_comments_enabled", "events_since", "events_until"],
  ],
};

/** Schemas of JSON columns that can contain nothing but switches, numbers and fixed words. */
const CLOSED: { [column: string]: TSchema } = {
  "workspaces.notification_config": NotificationConfig,
};

/**
 * Fields in which a record keeps users: IDs by which records are found, fixed words, fields of the service, and content
 * of the document.
 */
const KEPT_FIELDS = [
  ...["id", "annotationId", "documentId", "groupId", "userId", "location.id"],
  ...["type", "commentType", "featureType", "actionType"],
  ...["anchor.editorId", "anchor.start", "anchor.end", "anchor.quote", "anchorState", "anchorText"],
  ...["metadata", "metadata.apiKey", "metadata.documentId", "metadata.organizationId", "metadata.locationId"],
];

/** Returns whether no value of the schema can be any text. */
function isClosed(schema: TSchema): boolean {
  const { type, properties, additionalProperties, patternProperties, items, anyOf } = Object(schema);
  if (schema === undefined || additionalProperties || patternProperties) return false;
  if ("const" in schema || "enum" in schema) return true;
  if (anyOf) return anyOf.every(isClosed);
  if (type === "array") return isClosed(items);
  if (type === "object") return Object.values<TSchema>(properties).every(isClosed);
  return ["boolean", "integer", "number", "null"].includes(type);
}

test("every column is covered by the user-data.ts of a feature, or listed as free of user data", async () => {
  const rows = await runSql<{ column: string }>(
    database,
    `select table_name || '.' || column_name as column
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const covered = DECLARED_KINDS.flatMap(({ columns, kept = {} }) => [...getNames(columns), ...Object.keys(kept)]);
  const classified = [...covered, ...getNames(IMPERSONAL)].sort();
  expect(classified).toEqual(rows.map(({ column }) => column).sort());
});

test("every JSON column is searched for users, kept for a reason, or can contain no text", async () => {
  const rows = await runSql<{ column: string }>(
    database,
    `select table_name || '.' || column_name as column from information_schema.columns
     where table_schema = 'public' and data_type in ('json', 'jsonb')`,
  );
  const covered = DECLARED_KINDS.flatMap(({ columns, kept = {} }) => [...getNames(columns), ...Object.keys(kept)]);
  const others = rows.map(({ column }) => column).filter((column) => !covered.includes(column));
  expect(others.sort()).toEqual(Object.keys(CLOSED));
  expect(Object.keys(CLOSED).filter((column) => !isClosed(CLOSED[column] ?? {}))).toEqual([]);
});

test("records keep users only in IDs, fixed words, and fields of the service", () => {
  const kept = DECLARED_KINDS.flatMap(({ steps }) => steps.flatMap(({ keptFields = [] }) => keptFields));
  expect(new Set(kept)).toEqual(new Set(KEPT_FIELDS));
});

function getNames(columns: { [table: string]: readonly string[] }): string[] {
  return Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
}
