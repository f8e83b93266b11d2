import type { StoredAnnotation } from "./annotations/annotation.ts";
import type { StoredComment } from "./comments/comment.ts";

// Users name others by ID alone, and read no addresses. What is stored about those whom an update names again stays.

/** Returns the fields of a user's update with the assignee as stored, if it is the same user. */
export function keepAssignee<Fields extends Pick<StoredAnnotation, "assignedTo">>(
  fields: Fields,
  { assignedTo }: Pick<StoredAnnotation, "assignedTo">,
): Fields {
  return assignedTo && fields.assignedTo?.userId === assignedTo.userId ? { ...fields, assignedTo } : fields;
}

/** Returns the fields of a user's update with the stored contacts of the users whom the comment has tagged before. */
export function keepContacts<Fields extends Pick<StoredComment, "taggedUserContacts">>(
  fields: Fields,
  { taggedUserContacts = [] }: Pick<StoredComment, "taggedUserContacts">,
): Fields {
  if (!fields.taggedUserContacts) return fields;
  const contacts = new Map(taggedUserContacts.map(({ userId, contact }) => [userId, contact]));
  const kept = fields.taggedUserContacts.map((tag) => {
    const contact = contacts.get(tag.userId);
    return contact ? { ...tag, contact } : tag;
  });
  return { ...fields, taggedUserContacts: kept };
}
