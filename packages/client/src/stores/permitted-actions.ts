import type { AccessRole, Comment, CommentAnnotation } from "../api.generated.ts";

const ROLES: readonly AccessRole[] = ["viewer", "commenter", "editor", "moderator"];

/** What a user may do with a thread. */
export interface PermittedActions {
  reply: boolean;
  resolve: boolean;
  /** Deletes the thread with all of its comments. */
  remove: boolean;
  /** Returns whether the user may edit and delete a comment. */
  change(comment: Comment): boolean;
}

/** Returns whether a role permits what another one does. */
export function includesRole(role: AccessRole, needed: AccessRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Returns what the role lets the user do with a thread. The rules are those of the service, which decides. */
export function getPermittedActions(
  { from, assignedTo }: CommentAnnotation,
  userId: string,
  role: AccessRole,
): PermittedActions {
  const includes = (needed: AccessRole) => includesRole(role, needed);
  const changes = (author: { userId: string } | undefined) =>
    includes(author?.userId === userId ? "commenter" : "moderator");
  return {
    reply: includes("commenter"),
    resolve: assignedTo?.userId === userId || includes(from?.userId === userId ? "commenter" : "editor"),
    remove: changes(from),
    change: (comment) => changes(comment.from),
  };
}
