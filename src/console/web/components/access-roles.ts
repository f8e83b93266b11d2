import type { ResponseData } from "../api/call.ts";

export type AccessRole = ResponseData<"/v2/auth/permissions/explain">["users"][number]["accessRole"];

/** Options of a select: the roles in their order, each with what it allows beyond the one before. */
export const ROLES: { value: AccessRole; label: string }[] = [
  { value: "viewer", label: "Viewer: reads" },
  { value: "commenter", label: "Commenter: also comments" },
  { value: "editor", label: "Editor: also writes, and resolves every thread" },
  { value: "moderator", label: "Moderator: also changes others' comments, and access" },
];

/** Returns the role that a select names, if any. */
export function toRole(text: string): AccessRole | undefined {
  return ROLES.find(({ value }) => value === text)?.value;
}
