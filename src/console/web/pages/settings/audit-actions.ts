import type { AuditEntry } from "../../api/records.ts";

export type AuditAction = AuditEntry["action"];

/** What was done, in words. */
export const ACTION_LABELS: Record<AuditAction, string> = {
  "activity_config.update": "Activity settings changed",
  "api_key_config.update": "Access settings changed",
  "auth_token.add": "Auth token created",
  "auth_token.delete": "Auth token revoked",
  "auth_token.reset": "Auth token replaced",
  "document.delete": "Documents deleted",
  "document.migrate": "Document moved to a new ID",
  "document.move": "Documents moved to a folder",
  "document_access.update": "Document access changed",
  "domain.add": "Domains allowed",
  "domain.delete": "Domains removed",
  "email_config.update": "Email settings changed",
  "folder.delete": "Folder deleted",
  "folder.move": "Folders moved",
  "folder_access.update": "Folder access changed",
  "notification_config.update": "Notification settings changed",
  "organization.delete": "Organizations deleted",
  "organization_access.update": "Organization access changed",
  "permission.add": "Permissions granted",
  "permission.remove": "Permissions removed",
  "secret.rotate": "Secrets encrypted under a new key",
  "session.begin": "Signed in",
  "session.end": "Session ended",
  "token_issuer_config.update": "Token issuer changed",
  "user.add": "Users added",
  "user.delete": "Users deleted",
  "user.update": "Roles of users changed",
  "user_data.delete": "User data deleted",
  "user_token.revoke": "User tokens revoked",
  "webhook_config.update": "Webhook settings changed",
  "webhook_endpoint.add": "Webhook endpoint created",
  "webhook_endpoint.delete": "Webhook endpoint deleted",
  "webhook_endpoint.update": "Webhook endpoint changed",
  "webhook_secret.rotate": "Webhook secret replaced",
  "workspace.add": "Workspace created",
  "workspace.backup": "Backed up",
  "workspace.restore": "Restored from a backup",
  "workspace.update": "Workspace changed",
};

/** Returns whether the text, such as a URL parameter, is an action. */
export function isAction(text: string | undefined): text is AuditAction {
  return text !== undefined && Object.hasOwn(ACTION_LABELS, text);
}

/** Returns who acted, in words. */
export function actorLabel({ type, id, name }: AuditEntry["actor"]): string {
  if (type === "command_line") return "the command line";
  if (type === "token") return `token ${name ?? id}`;
  if (type === "user") return name === null ? "a deleted user" : `user ${name}`;
  return name ?? "the operator";
}

/** Returns the key of an entry for URLs, which has its time, by which the API finds it: `<timestamp>/<id>`. */
export function entryKey({ timestamp, id }: Pick<AuditEntry, "timestamp" | "id">): string {
  return `${timestamp}/${id}`;
}

/** Returns the times between which the entry of a key is. Another text has one without entries. */
export function getTimeRange(key: string): { from: number; to: number } {
  const from = Number(/^\d{1,15}(?=\/)/.exec(key)?.[0] ?? 0);
  return { from, to: from + 1 };
}
