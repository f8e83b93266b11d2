import { getAccessFields } from "../../../contract/access-context.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { selectAccessFields } from "../../access/access-context-queries.ts";
import { selectOrganizationUsers } from "../../access/visibility-queries.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { CommentTrigger } from "./comment-trigger.ts";

/**
 * Leaves out users of triggers who may not see the annotation, by its visibility or for lack of a pair of its access
 * context. Only stored grants count, since nobody shows a token. Runs no statement if everybody may see all of them.
 */
export async function chooseRecipients(
  scope: OrganizationScope<Workspace>,
  groups: CommentTrigger[][],
): Promise<CommentTrigger[][]> {
  const { isContextEnabled } = scope.workspace;
  const restricted = groups.flat().filter(({ access, visibilityConfig }) => {
    return visibilityConfig || (isContextEnabled && access);
  });
  if (restricted.length === 0) return groups;
  const userIds = [...new Set(restricted.flatMap(getUserIds))];
  const fieldsByUser = isContextEnabled ? await selectAccessFields(scope, userIds) : new Map();
  const isForOrganization = restricted.some(({ visibilityConfig }) => visibilityConfig?.type === "organizationPrivate");
  const members = isForOrganization ? await selectOrganizationUsers(scope, userIds) : new Set<string>();
  const withSeeing = (trigger: CommentTrigger): CommentTrigger => {
    const { access = {}, visibilityConfig } = trigger;
    const needed = isContextEnabled ? getAccessFields(access) : [];
    const sees = (userId: string) =>
      (!visibilityConfig ||
        visibilityConfig.userIds?.includes(userId) ||
        (visibilityConfig.type === "organizationPrivate" && members.has(userId))) &&
      needed.every((field) => fieldsByUser.get(userId)?.includes(field));
    return {
      ...trigger,
      concerned: trigger.concerned.filter(({ userId }) => sees(userId)),
      participants: [...trigger.participants].filter(sees),
    };
  };
  return groups.map((triggers) => triggers.map(withSeeing));
}

function getUserIds({ concerned, participants }: CommentTrigger): string[] {
  return [...concerned.map(({ userId }) => userId), ...participants];
}
