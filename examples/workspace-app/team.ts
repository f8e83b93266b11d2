import type { AccessRole } from "@colloquy/client";

/** A user of the example. */
export interface User {
  userId: string;
  name: string;
  email: string;
  accessRole: AccessRole;
  /** Color of the user's caret. */
  color: string;
}

/** The collaborative document that all users open. */
export const DOCUMENT = { organizationId: "workspace-app", documentId: "launch-plan", editorId: "body" };

export const USERS: readonly [User, ...User[]] = [
  { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", accessRole: "editor", color: "#6d28d9" },
  { userId: "grace", name: "Grace Hopper", email: "grace@example.com", accessRole: "moderator", color: "#0f766e" },
  { userId: "alan", name: "Alan Turing", email: "alan@example.com", accessRole: "commenter", color: "#b45309" },
  { userId: "mary", name: "Mary Jackson", email: "mary@example.com", accessRole: "viewer", color: "#be185d" },
];

const TASKS = ["Translate the help pages", "Tell the support team", "Test the import of old boards"];
/** Content of the collaborative document at its creation. */
export const TEXT = [
  "<heading>Harbor 2.0</heading><paragraph>We ship on Thursday. Everybody can type here at once.</paragraph>",
  "<heading>What is new</heading><paragraph>Boards open twice as fast. Guests join by a link.</paragraph>",
  "<heading>Before the launch</heading>",
  `<bulletList>${TASKS.map((task) => `<listItem><paragraph>${task}</paragraph></listItem>`).join("")}</bulletList>`,
].join("");
