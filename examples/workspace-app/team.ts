/** A user of the example. */
export interface User {
  userId: string;
  name: string;
  email: string;
  /** Color of the user's caret and avatar. */
  color: string;
}

/** The collaborative document that both users have open. */
export const DOCUMENT = { organizationId: "workspace-app", documentId: "launch-plan", editorId: "body" };

export const USERS: readonly [User, User] = [
  { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", color: "#6d28d9" },
  { userId: "grace", name: "Grace Hopper", email: "grace@example.com", color: "#0f766e" },
];

const TASKS = ["Translate the help pages", "Test the import of old boards"];
/** Content of the collaborative document at its creation. */
export const TEXT = [
  "<heading>Harbor 2.0</heading><paragraph>We ship on Thursday. Both of you can type here at once.</paragraph>",
  "<heading>Before the launch</heading>",
  `<bulletList>${TASKS.map((task) => `<listItem><paragraph>${task}</paragraph></listItem>`).join("")}</bulletList>`,
].join("");
