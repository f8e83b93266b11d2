import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import type { Queryable } from "../../database/database.ts";
import { CHUNK_ROWS, MAX_IDS_ANSWERED } from "../../database/records.ts";
import { requireAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { isReadingScope, readingScopeFault, type Scope, scopeFields } from "./notification.ts";
import { deleteNotificationRows, type Locked, leaveList, lockToDelete } from "./queries.ts";

const DeleteRequest = Type.Refine(
  Type.Object({ ...scopeFields, notificationIds: Type.Optional(Identifiers) }),
  isReadingScope,
  readingScopeFault,
);

/** With a user from that user's list alone, without one for everyone. All that `get` returns for the same scope. */
export const deleteNotifications = operation({
  path: "/v2/notifications/delete",
  summary: "Delete notifications",
  description:
    "Accepted are `organizationId` with `documentId`, with `userId` or with both, each also with `locationId` and " +
    "`notificationIds`. What `get` returns for the same scope is deleted: without `userId` for everyone; with " +
    "`userId` from that user's list alone, and everyone else keeps it. With `notificationIds` the answer has an " +
    "entry for each id asked, otherwise one for each notification deleted (the first 50,000).",
  message: "Notifications deleted.",
  request: DeleteRequest,
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", notificationIds: ["notification-1", "notification-2"] },
  async handle({ workspace, database }, { organizationId, ...scope }) {
    const key = organizationKey(workspace.id, organizationId);
    const deleted = await database.transaction(async (transaction) => {
      await requireAccessible(transaction, key, organizationId);
      return deleteAll(transaction, key, scope);
    });
    return keyedById(
      [...(scope.notificationIds ?? deleted)].map((id) => [
        id,
        deleted.has(id)
          ? { success: true, message: "Notification deleted." }
          : { success: false, message: "Notification not found." },
      ]),
    );
  },
});

/** Returns the ids of the first 50,000. */
async function deleteAll(transaction: Queryable, organizationKey: string, scope: Scope): Promise<Set<string>> {
  const ids = new Set<string>();
  let locked: Locked[] = [];
  do {
    locked = await lockToDelete(transaction, organizationKey, scope, locked.at(-1));
    const sequences = locked.map(({ sequence }) => sequence);
    const deleted =
      scope.userId === undefined
        ? await deleteNotificationRows(transaction, organizationKey, sequences)
        : await leaveList(transaction, organizationKey, scope.userId, sequences);
    for (const id of deleted) if (ids.size < MAX_IDS_ANSWERED) ids.add(id);
  } while (locked.length === CHUNK_ROWS);
  return ids;
}
