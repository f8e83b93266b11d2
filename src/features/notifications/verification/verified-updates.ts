import type { Workspace } from "../../../contract/operation.ts";
import { findPermittedUsers } from "../../access/permitted-users/find-permitted-users.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { NotificationUpdate } from "../notification.ts";
import type { LockedNotification } from "../notification-queries.ts";
import { selectReadable } from "./verification-queries.ts";

/**
 * Returns the updates of notifications that a recipient can read, new ones included, without the users in
 * `readByUserIds` and `notifyUsers` who cannot read the document. Updates that are not to be verified stay as they are.
 */
export async function verifiedUpdates(
  scope: OrganizationScope<Workspace>,
  updates: NotificationUpdate[],
  locked: ReadonlyMap<string, LockedNotification>,
): Promise<NotificationUpdate[]> {
  const found = updates.flatMap((update) => {
    const notification = update.verifyUserPermissions ? locked.get(update.id) : undefined;
    return notification ? [{ update, ...notification }] : [];
  });
  if (found.length === 0) return updates;
  const named = found.flatMap(({ update: { readByUserIds = [], notifyUsers = [] }, documentId }) =>
    [...readByUserIds, ...notifyUsers.map(({ userId }) => userId)].map((userId) => ({ userId, documentId })),
  );
  const canRead = await findPermittedUsers(scope, named, "viewer");
  const sequences = found.map(({ sequence }) => sequence);
  const readable = new Set(await selectReadable(scope, sequences));
  const verified = found.flatMap(({ update, documentId, sequence }) => {
    const { readByUserIds, notifyUsers } = update;
    const notified = notifyUsers?.filter(({ userId }) => canRead({ userId, documentId }));
    if (!readable.has(sequence) && !notified?.length) return [];
    const readers = readByUserIds?.filter((userId) => canRead({ userId, documentId }));
    return [{ ...update, ...(notified && { notifyUsers: notified }), ...(readers && { readByUserIds: readers }) }];
  });
  return [...updates.filter(({ verifyUserPermissions }) => !verifyUserPermissions), ...verified];
}
