import Type from "typebox";
import { operation, type Workspace } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import type { Queryable } from "../../database/statement.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { readInboxes, recordInboxEvents } from "./event-log.ts";
import { markInboxRead } from "./inbox-queries.ts";
import { inboxScopes } from "./inbox-scopes.ts";
import { lockedChunks } from "./locked-chunks.ts";
import { notificationScopeFields, persistReadForUsers, type Scope } from "./notification.ts";

/** Marks a user's unread notifications as read: all of them, those of a place, or some. */
export const readNotifications = operation({
  path: "/v2/notifications/read",
  summary: "Mark a user's notifications as read",
  description:
    "Marks all unread notifications in the inbox of `userId` as read, or those that match `documentId`, `locationId` " +
    "and `notificationIds`, as `/v2/notifications/get` does. They leave the inbox permanently, unless " +
    "`persistReadForUsers` is true. Those that were read before stay as they are. `readCount` counts the " +
    "notifications that were marked. Nothing to mark is a success.",
  message: "Notifications read.",
  scope: "write",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] }, onlyOwnRecords: true },
  request: Type.Object({
    ...notificationScopeFields,
    userId: Identifier,
    notificationIds: Type.Optional(Identifiers),
    persistReadForUsers,
  }),
  response: Type.Object(
    { success: Type.Boolean(), message: Type.String(), readCount: Type.Integer() },
    { examples: [{ success: true, message: countedMessage(1), readCount: 1 }] },
  ),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", persistReadForUsers: true },
  async handle({ workspace, database, user }, { organizationId, persistReadForUsers: isKept = false, ...given }) {
    const key = organizationKey(workspace.id, organizationId);
    const scope = { ...given, seenBy: inboxScopes(workspace, [organizationId], given.userId, user) };
    const readCount = await database.transaction(async (transaction) => {
      await requireAccessible(transaction, key, organizationId, scope.documentId);
      return readAll(transaction, workspace, key, scope, isKept);
    });
    return { success: true, message: countedMessage(readCount), readCount };
  },
});

/** Marks all matches in chunks. Returns how many. */
async function readAll(
  transaction: Queryable,
  workspace: Workspace,
  organizationKey: string,
  scope: Scope & { userId: string },
  isKept: boolean,
): Promise<number> {
  let count = 0;
  const { userId } = scope;
  for await (const sequences of lockedChunks(transaction, organizationKey, scope, { isUnread: true })) {
    const change = { organizationKey, match: { sequences }, userId };
    const before = await readInboxes(transaction, workspace, change);
    await markInboxRead(transaction, organizationKey, { userId, sequences, isKept });
    await recordInboxEvents(transaction, workspace, change, before);
    count += sequences.length;
  }
  return count;
}

function countedMessage(count: number): string {
  return count === 1 ? "1 notification marked as read." : `${count} notifications marked as read.`;
}
