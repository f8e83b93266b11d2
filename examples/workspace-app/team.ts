/** A user of the example. */
export interface User {
  userId: string;
  name: string;
  email: string;
  /** Color of the user's caret and avatar. */
  color: string;
}

/** The editor that both users have open. */
export const DOCUMENT = { organizationId: "workspace-app", documentId: "launch-plan", editorId: "body" };

export const USERS: readonly [User, User] = [
  { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", color: "#6d28d9" },
  { userId: "grace", name: "Grace Hopper", email: "grace@example.com", color: "#0f766e" },
];
