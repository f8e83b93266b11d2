import { formatCount } from "../../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import type { EndUser } from "../../../contract/end-user.ts";
import { limitError } from "../../../contract/limit-error.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import { selectMentionedMembers } from "../../user-groups/user-group-queries.ts";
import type { NewComment, StoredComment } from "./comment.ts";

const { mentionedMembers } = RECORD_LIMITS;

/** Returns fields of a comment with the members of the user groups that it tags. */
export type WithMembers<Fields> = Omit<Fields, "taggedUserGroups"> & Pick<StoredComment, "taggedUserGroups">;

/**
 * Returns a function that adds the members to the user groups that comments tag, unless the caller has sent them.
 * Groups that do not exist, or that the calling user may not read, have none.
 */
export async function readTaggedGroups(
  scope: AccessOrganization,
  comments: readonly Pick<NewComment, "taggedUserGroups">[],
  user: EndUser | undefined,
): Promise<<Fields extends Pick<NewComment, "taggedUserGroups">>(fields: Fields) => WithMembers<Fields>> {
  const tagged = comments.flatMap(({ taggedUserGroups = [] }) => taggedUserGroups);
  const groupIds = tagged.flatMap(({ groupId, userIds }) => (userIds ? [] : groupId));
  const rows = groupIds.length > 0 ? await selectMentionedMembers(scope, groupIds, user, mentionedMembers + 1) : [];
  if (rows.length > mentionedMembers) {
    const max = formatCount(mentionedMembers);
    throw limitError("mentioned_members", `The user groups in taggedUserGroups have more than ${max} members.`);
  }
  const members = Map.groupBy(rows, ({ groupId }) => groupId);
  return ({ taggedUserGroups, ...fields }) => ({
    ...fields,
    ...(taggedUserGroups && {
      taggedUserGroups: taggedUserGroups.map(({ userIds, ...tag }) => ({
        ...tag,
        userIds: userIds ?? members.get(tag.groupId)?.map(({ userId }) => userId) ?? [],
      })),
    }),
  });
}
