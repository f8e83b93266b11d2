import type { TSchema } from "typebox";
import type { AccessRole } from "./end-user.ts";

/** How users may call an operation. The engine enforces it before the operation runs. */
export interface EndUserRule {
  /** Role that the user needs on each document that the request names. */
  role: AccessRole;
  /**
   * What the request must name, and on what the user needs the role:
   * - `documents`: one or more, by `documentId` or `documentIds`.
   * - `optionalDocuments`: none or more. The operation itself returns and changes only what the user may see.
   * - `organization`: only this. The operation does the same, and needs no role.
   * - `resources`: the documents in `permissions.resources`, each of which names its organization.
   */
  on: "documents" | "optionalDocuments" | "organization" | "resources";
  /**
   * Fields that name the caller: objects with `userId`, `name` and `email`, and IDs. They are filled in from the token
   * and may not name anybody else. `users[]` is each item of a list, `comments[].from` a field of each item.
   */
  identity?: { users?: readonly string[]; userIds?: readonly string[] };
  /** Schema that the request of a user must meet too, if users may send fewer fields than a backend. */
  request?: TSchema;
  /** Lists with the records that a request adds, each of which counts as a write: `comments`, `threads.comments`. */
  adds?: readonly string[];
  /** Whether each item of the response that succeeded counts as a write, because its change notifies others. */
  countsChanged?: boolean;
  /**
   * The users whose records a user changes: only the caller (`own`), others too if the caller is a moderator
   * (`moderated`), or as each field of the update says (`byField`). Missing if the operation changes no records of
   * users. The operation compares their authors, in its transaction.
   */
  changes?: "own" | "moderated" | "byField";
}
