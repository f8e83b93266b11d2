import Type from "typebox";
import type { Queryable } from "../../database/database.ts";
import { operation } from "../../http/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../http/schema.ts";
import { requireOpen } from "../organizations/organization.ts";
import { organizationKey } from "../organizations/organization-key.ts";
import { isReadingScope, readingScopeFault, type Scope, scopeFields } from "./notification.ts";
import { type Deleted, deleteRecipients, deleteRows, leaveList } from "./queries.ts";

const MAX_IDS_ANSWERED = 50_000;

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
      await requireOpen(transaction, key, organizationId);
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
  let last: Deleted | undefined;
  do {
    const deleted = await deleteSome(transaction, organizationKey, scope, last);
    for (const { id } of deleted) if (ids.size < MAX_IDS_ANSWERED) ids.add(id);
    last = deleted.at(-1);
  } while (last);
  return ids;
}

async function deleteSome(
  transaction: Queryable,
  organizationKey: string,
  scope: Scope,
  after: Deleted | undefined,
): Promise<Deleted[]> {
  const { userId } = scope;
  if (userId !== undefined) return leaveList(transaction, organizationKey, { ...scope, userId }, after);
  const deleted = await deleteRows(transaction, organizationKey, scope, after);
  await deleteRecipients(
    transaction,
    organizationKey,
    deleted.map(({ sequence }) => sequence),
  );
  return deleted;
}
