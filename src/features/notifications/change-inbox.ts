import Type, { type Static } from "typebox";
import type { Context } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { type InTransaction, inOrganization, type OrganizationScope } from "../tenancy/organization-scope.ts";
import { readInboxes, recordInboxEvents } from "./event-log.ts";
import { getInboxUser } from "./inbox-user.ts";
import { lockedChunks } from "./locked-chunks.ts";
import { notificationScopeFields, type Selection } from "./notification.ts";

/** Fields that select notifications of a user to change. */
export const ownNotificationFields = {
  ...notificationScopeFields,
  userId: Identifier,
  notificationIds: Type.Optional(Identifiers),
};

const Own = Type.Object(ownNotificationFields);

interface InboxChange extends Pick<Selection, "archived"> {
  /** Whether only unread notifications change. */
  isUnread?: boolean;
  /** Changes locked notifications of the user. */
  change: (scope: InTransaction<OrganizationScope>, userId: string, sequences: number[]) => Promise<void>;
}

/** Changes all matching notifications of a user that access rules do not hide. Returns how many. */
export async function changeInbox(
  { database, workspace, user }: Context,
  { organizationId, userId, documentId, locationId, notificationIds }: Static<typeof Own>,
  { archived, isUnread = false, change }: InboxChange,
): Promise<number> {
  const place = { documentId, locationId, notificationIds };
  const selection = { ...place, userId, archived, seenBy: getInboxUser(userId, user) };
  return inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    let count = 0;
    for await (const sequences of lockedChunks(scope, selection, { isUnread })) {
      const reported = { match: { sequences }, userId };
      const before = await readInboxes(scope, reported);
      await change(scope, userId, sequences);
      await recordInboxEvents(scope, reported, before);
      count += sequences.length;
    }
    return count;
  });
}
