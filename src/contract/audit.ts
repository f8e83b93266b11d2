import type { Queryable } from "../database/statement.ts";

/** Administrative acts that the audit log records. */
export const AUDIT_ACTIONS = [
  ...["activity_config.update", "api_key_config.update", "auth_token.add", "auth_token.delete", "auth_token.reset"],
  ...["document.delete", "document.migrate", "document.move", "document_access.update", "domain.add"],
  ...["domain.delete", "email_config.update", "folder.delete", "folder.move", "folder_access.update"],
  "notification_config.update",
  ...["organization.delete", "organization_access.update", "permission.add", "permission.remove", "secret.rotate"],
  ...["session.begin", "session.end", "token_issuer_config.update", "user.add", "user.delete", "user.update"],
  ...["user_data.delete", "user_token.revoke", "webhook_config.update"],
  ...["webhook_endpoint.add", "webhook_endpoint.delete", "webhook_endpoint.update", "webhook_secret.rotate"],
  ...["workspace.add", "workspace.backup", "workspace.restore", "workspace.update"],
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const ACTOR_TYPES = ["token", "session", "user", "command_line"] as const;

/** Who acts: an auth token, a console session, a user, or the operator on the command line and at a start. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** ID of the token, session or user; null for the command line and for a user whose data was deleted. */
  id: string | null;
  /** Name of the token, address of the session's owner, or ID of the user; null for the operator. */
  name: string | null;
}

export const COMMAND_LINE: Actor = { type: "command_line", id: null, name: null };

/** Names the target of an act: IDs and counts, never a secret, content, or the ID of a user. */
export interface AuditTarget {
  [field: string]: string | number | boolean | readonly string[];
}

/** Entry about an administrative act in a workspace, as it is added. */
export interface NewAuditEntry {
  workspaceId: string;
  action: AuditAction;
  actor: Actor;
  /** IP address of the client; null for the command line. */
  clientAddress: string | null;
  target: AuditTarget;
}

/** Adds entries to the audit log, in the transaction of the acts. */
export type RecordAuditEntries = (transaction: Queryable, entries: readonly NewAuditEntry[]) => Promise<void>;
