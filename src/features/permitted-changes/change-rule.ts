import { ACCESS_ROLES, type AccessRole } from "../../contract/end-user.ts";

/** Role on the document with which a user may change a record of anybody, of their own, and one assigned to them. */
export interface ChangeRule {
  anybody: AccessRole;
  /** Missing if being the author changes nothing. */
  author?: AccessRole;
  /** Missing if being assigned changes nothing. */
  assignee?: AccessRole;
}

/** Users change and delete what they have written; moderators change and delete what anybody has. */
export const OWN_RULE = { anybody: "moderator", author: "commenter" } as const satisfies ChangeRule;

/** What makes a record one of a user. */
export interface Involved {
  authorId?: string | undefined;
  assigneeId?: string | undefined;
}

/** Returns the role with which a user may change a record by all of the rules. */
export function getRequiredRole(rules: readonly ChangeRule[], userId: string, involved: Involved): AccessRole {
  const required = rules.map(({ anybody, author, assignee }) => {
    const roles = [anybody, involved.authorId === userId && author, involved.assigneeId === userId && assignee];
    return ACCESS_ROLES.find((role) => roles.includes(role)) ?? anybody;
  });
  return ACCESS_ROLES.findLast((role) => required.includes(role)) ?? "viewer";
}
