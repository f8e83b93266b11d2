import type { AccessRole } from "../../contract/end-user.ts";

/** Permissions on rooms by which comparable services say what a user may do, each with its role alone. */
const ROOM_PERMISSIONS: Record<string, AccessRole | undefined> = {
  "*:write": "editor",
  "room:write": "editor",
  "*:read": "viewer",
  "room:read": "viewer",
  "room:presence:write": undefined,
  "comments:read": undefined,
  "comments:write": undefined,
};

/**
 * Returns the role of an exported user: a list of permissions on a room becomes one, and an empty list none. Other
 * values stay, and are rejected unless they are roles.
 */
export function toImportedRole(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (!value.every((permission) => Object.hasOwn(ROOM_PERMISSIONS, permission))) return value;
  const roles = new Set(value.map((permission: string) => ROOM_PERMISSIONS[permission]));
  if (roles.has("editor")) return "editor";
  if (roles.has("viewer")) return value.includes("comments:write") ? "commenter" : "viewer";
  return value.length === 0 ? undefined : value;
}
