import { ACCESS_ROLES, type AccessRole } from "../../contract/end-user.ts";

/** Roles on the document with which a user may change any record, an own one, and one assigned to the user. */
export interface ChangeRule {
  anybody: AccessRole;
  /** Missing if being the author changes nothing. */
  author?: AccessRole;
  /** Missing if being assigned changes nothing. */
  assignee?: AccessRole;
}

/** Users change and delete what they have written; moderators change and delete what anybody has. */
export const OWN_RULE = { anybody: "moderator", author: "commenter" } as const satisfies ChangeRule;

/** Users whom a record belongs or is assigned to. */
export interface RecordUsers {
  authorId?: string | undefined;
  assigneeId?: string | undefined;
}

/** Returns the lowest role with which all rules let a user change a record. */
export function getRequiredRole(
  rules: readonly ChangeRule[],
  userId: string,
  { authorId, assigneeId }: RecordUsers,
): AccessRole {
  const required = rules.map(({ anybody, author, assignee }) => {
    const roles = [anybody, authorId === userId && author, assigneeId === userId && assignee];
    return ACCESS_ROLES.find((role) => roles.includes(role)) ?? anybody;
  });
  return ACCESS_ROLES.findLast((role) => required.includes(role)) ?? "viewer";
}
