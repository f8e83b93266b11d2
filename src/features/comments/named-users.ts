import type { StoredAnnotation } from "./annotations/annotation.ts";
import type { NewComment, StoredComment } from "./comments/comment.ts";

// Users name others by ID alone, and read no addresses. What is stored about those whom an update names again stays.

/** Returns the fields of a user's update with the assignee as stored, if it is the same user. */
export function keepAssignee<Fields extends Pick<StoredAnnotation, "assignedTo">>(
  fields: Fields,
  { assignedTo }: Pick<StoredAnnotation, "assignedTo">,
): Fields {
  return assignedTo && fields.assignedTo?.userId === assignedTo.userId ? { ...fields, assignedTo } : fields;
}

/**
 * Returns the fields of a user's update with the stored contacts of the users, and the members of the user groups, that
 * the comment has tagged before.
 */
export function keepTags<Fields extends Pick<NewComment, "taggedUserContacts" | "taggedUserGroups">>(
  fields: Fields,
  { taggedUserContacts = [], taggedUserGroups = [] }: StoredComment,
): Fields {
  const contacts = new Map(taggedUserContacts.map(({ userId, contact }) => [userId, contact]));
  const members = new Map(taggedUserGroups.map(({ groupId, userIds }) => [groupId, userIds]));
  const users = fields.taggedUserContacts?.map((tag) => {
    const contact = contacts.get(tag.userId);
    return contact ? { ...tag, contact } : tag;
  });
  const groups = fields.taggedUserGroups?.map((tag) => {
    const userIds = members.get(tag.groupId);
    return userIds ? { ...tag, userIds } : tag;
  });
  return { ...fields, ...(users && { taggedUserContacts: users }), ...(groups && { taggedUserGroups: groups }) };
}
