import Type, { type Static } from "typebox";
import { rejectRepeatedIds } from "../../../../contract/repeated-ids.ts";
import { Identifier, User } from "../../../../contract/schema.ts";
import { withTexts } from "../../../../json/record-texts.ts";
import type { OrganizationScope } from "../../../tenancy/organization-scope.ts";
import { commentColumns, readComment, type StoredComment } from "../../comments/comment.ts";
import { replaceComments } from "../../comments/comment-queries.ts";
import type { StoredAnnotation } from "../annotation.ts";
import { type CommentPosition, selectCommentsNaming } from "./annotation-user-queries.ts";

/** User who is replaced, as read from a record. Only the ID counts. */
const OldUser = Type.Object(
  { userId: Identifier, name: Type.Optional(Type.String()), email: Type.Optional(Type.String()) },
  { additionalProperties: true },
);

export const UpdateUsers = Type.Array(Type.Object({ oldUser: OldUser, newUser: User }), {
  minItems: 1,
  maxItems: 1000,
  description: "Replaces users as `from`, as `assignedTo` and in tags, in the annotations and their comments.",
});

/** The new users by the IDs of the old ones. */
export type NewUsers = ReadonlyMap<string, User>;

/** Returns the new users by the IDs of the old ones. Throws INVALID_ARGUMENT if an old user is repeated. */
export function getNewUsers(updateUsers: Static<typeof UpdateUsers> = []): NewUsers {
  const ids = updateUsers.map(({ oldUser }) => oldUser.userId);
  rejectRepeatedIds(ids, "updateUsers", "oldUser.userId");
  return new Map(updateUsers.map(({ oldUser, newUser }) => [oldUser.userId, newUser]));
}

/** Replaces the users in an annotation, also among those who see it. */
export function replaceUsersIn(annotation: StoredAnnotation, users: NewUsers): StoredAnnotation {
  const { from, assignedTo, visibilityConfig } = annotation;
  const viewers = new Set(visibilityConfig?.userIds?.map((userId) => users.get(userId)?.userId ?? userId));
  return {
    ...annotation,
    ...(from && { from: users.get(from.userId) ?? from }),
    ...(assignedTo && { assignedTo: users.get(assignedTo.userId) ?? assignedTo }),
    ...(visibilityConfig && { visibilityConfig: { ...visibilityConfig, userIds: [...viewers] } }),
  };
}

/** Replaces the users in the comments of locked annotations. Returns the sequences of the annotations that changed. */
export async function replaceUsersInComments(
  scope: OrganizationScope,
  sequences: number[],
  users: NewUsers,
): Promise<Set<number>> {
  const changed = new Set<number>();
  let after: CommentPosition | undefined;
  do {
    const found = await selectCommentsNaming(scope, sequences, [...users.keys()], after);
    const rows = found.comments.map(({ annotationSequence, id, record }) => {
      changed.add(annotationSequence);
      return { ...commentColumns(replaceUsersInComment(readComment(record), users)), annotationSequence, id };
    });
    if (rows.length > 0) await replaceComments(scope, withTexts(rows));
    after = found.next;
  } while (after);
  return changed;
}

/** Replaces the users in a comment. The text of a tag stays as it is. */
function replaceUsersInComment(comment: StoredComment, users: NewUsers): StoredComment {
  const { from, taggedUserContacts, taggedUserGroups } = comment;
  const tags = taggedUserContacts?.map((tag) => {
    const user = users.get(tag.userId);
    return user ? { ...tag, userId: user.userId, ...(tag.contact && { contact: user }) } : tag;
  });
  const groups = taggedUserGroups?.map(({ userIds, ...tag }) => {
    return { ...tag, userIds: [...new Set(userIds.map((userId) => users.get(userId)?.userId ?? userId))] };
  });
  return {
    ...comment,
    from: users.get(from.userId) ?? from,
    ...(tags && { taggedUserContacts: tags }),
    ...(groups && { taggedUserGroups: groups }),
  };
}
