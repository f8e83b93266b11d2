import { getAccessFields } from "../../../contract/access-context.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { selectAccessFields } from "../../access/access-context-queries.ts";
import { selectOrganizationUsers } from "../../access/visibility-queries.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { CommentEvent } from "./comment-event.ts";

/**
 * Leaves out the users of events who may not see the annotation, by its visibility or for lack of a pair of its access
 * context. Only stored grants count, since nobody shows a token. Runs no statement if everybody may see all of them.
 */
export async function chooseRecipients(
  scope: OrganizationScope<Workspace>,
  groups: CommentEvent[][],
): Promise<CommentEvent[][]> {
  const { isContextEnabled } = scope.workspace;
  const restricted = groups.flat().filter(({ access, visibilityConfig }) => {
    return visibilityConfig || (isContextEnabled && access);
  });
  if (restricted.length === 0) return groups;
  const userIds = [...new Set(restricted.flatMap(getUserIds))];
  const delayed = isContextEnabled ? await selectAccessFields(scope, userIds) : new Map();
  const isForOrganization = restricted.some(({ visibilityConfig }) => visibilityConfig?.type === "organizationPrivate");
  const members = isForOrganization ? await selectOrganizationUsers(scope, userIds) : new Set<string>();
  const withSeeing = (event: CommentEvent): CommentEvent => {
    const { access = {}, visibilityConfig } = event;
    const needed = isContextEnabled ? getAccessFields(access) : [];
    const sees = (userId: string) =>
      (!visibilityConfig ||
        visibilityConfig.userIds?.includes(userId) ||
        (visibilityConfig.type === "organizationPrivate" && members.has(userId))) &&
      needed.every((field) => delayed.get(userId)?.includes(field));
    return {
      ...event,
      concerned: event.concerned.filter(({ userId }) => sees(userId)),
      participants: [...event.participants].filter(sees),
    };
  };
  return groups.map((events) => events.map(withSeeing));
}

function getUserIds({ concerned, participants }: CommentEvent): string[] {
  return [...concerned.map(({ userId }) => userId), ...participants];
}
