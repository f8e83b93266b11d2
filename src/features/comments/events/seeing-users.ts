import { accessFieldsOf } from "../../../contract/access-context.ts";
import type { Queryable } from "../../../database/statement.ts";
import { selectAccessFields } from "../../access/context/queries.ts";
import { selectOrganizationUsers } from "../../access/visibility/queries.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { type Announcement, type CommentEvent, isSeenByAll } from "./event.ts";

/**
 * Leaves out the users of events who may not see the annotation, by its visibility or for lack of a pair of its access
 * context. Only stored grants count, since nobody shows a token. Runs no statement if everybody may see all of them.
 */
export async function withSeeingUsers(transaction: Queryable, announcements: Announcement[]): Promise<Announcement[]> {
  const seen: Announcement[] = [];
  for (const announcement of announcements) {
    const { workspace, events } = announcement;
    const isOpen = events.every((event) => isSeenByAll(workspace, event));
    seen.push(isOpen ? announcement : await withSeeing(transaction, announcement));
  }
  return seen;
}

async function withSeeing(transaction: Queryable, announcement: Announcement): Promise<Announcement> {
  const { workspace, organizationId } = announcement;
  const key = organizationKey(workspace.id, organizationId);
  const restricted = announcement.events.filter((event) => !isSeenByAll(workspace, event));
  const userIds = [...new Set(restricted.flatMap(usersOf))];
  const held = workspace.isContextEnabled
    ? await selectAccessFields(transaction, key, userIds)
    : new Map<string, string[]>();
  const isForOrganization = restricted.some(({ visibilityConfig }) => visibilityConfig?.type === "organizationPrivate");
  const members = isForOrganization ? await selectOrganizationUsers(transaction, key, userIds) : new Set<string>();
  const events = announcement.events.map((event) => {
    const { access = {}, visibilityConfig } = event;
    const needed = workspace.isContextEnabled ? accessFieldsOf(access) : [];
    const sees = (userId: string) =>
      (!visibilityConfig ||
        visibilityConfig.userIds?.includes(userId) ||
        (visibilityConfig.type === "organizationPrivate" && members.has(userId))) &&
      needed.every((field) => held.get(userId)?.includes(field));
    return {
      ...event,
      concerned: event.concerned.filter(({ userId }) => sees(userId)),
      participants: [...event.participants].filter(sees),
    };
  });
  return { ...announcement, events };
}

function usersOf({ concerned, participants }: CommentEvent): string[] {
  return [...concerned.map(({ userId }) => userId), ...participants];
}
