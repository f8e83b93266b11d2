import Type, { type Static } from "typebox";
import { FreeFormObject, Identifier, User } from "../../../contract/schema.ts";

/** Id of a comment. The maximum leaves 2^53 - 10^15 ids for the service to generate. */
export const CommentId = Type.Integer({ minimum: 0, maximum: 1e15, description: "Unique in its annotation." });

/** List of 1 to 1,000 comment ids. */
export const CommentIds = Type.Array(CommentId, { minItems: 1, maxItems: 1000 });

const TaggedUser = Type.Object({
  text: Type.Optional(Type.String({ description: "Text of the tag in the comment, for example `@Grace`." })),
  userId: Identifier,
  contact: Type.Optional(FreeFormObject),
});

/** Fields that `update` can replace. */
export const changeableCommentFields = {
  commentText: Type.Optional(Type.String()),
  commentHtml: Type.Optional(Type.String({ description: "Stored as sent. Sanitize it before you display it." })),
  taggedUserContacts: Type.Optional(Type.Array(TaggedUser, { maxItems: 1000 })),
  attachments: Type.Optional(Type.Array(FreeFormObject, { maxItems: 1000 })),
};

export const NewComment = Type.Object({
  commentId: Type.Optional(CommentId),
  from: User,
  ...changeableCommentFields,
  triggerNotification: Type.Optional(Type.Boolean({ default: false })),
  triggerActivities: Type.Optional(Type.Boolean({ default: false })),
});
export type NewComment = Static<typeof NewComment>;

export const NewComments = Type.Array(NewComment, { minItems: 1, maxItems: 500 });

export const Comment = Type.Object({
  commentId: Type.Integer(),
  createdAt: Type.Integer({ description: "Milliseconds since the epoch, set by the service." }),
  lastUpdated: Type.Integer(),
  from: User,
  ...changeableCommentFields,
  reactions: Type.Array(Type.Object({ reaction: Identifier, userIds: Type.Array(Identifier) })),
});
export type Comment = Static<typeof Comment>;

/** Reads a stored comment; the cast holds because only comments and reactions write the texts, in this shape. */
export function readComment(record: string): Comment {
  return JSON.parse(record) as Comment;
}

/** Returns the tagged users with the name and address given in the tag. */
export function taggedUsers({ taggedUserContacts = [] }: Pick<NewComment, "taggedUserContacts">): User[] {
  return taggedUserContacts.map(({ userId, contact }) => {
    const { name, email }: { name?: unknown; email?: unknown } = contact ?? {};
    return { userId, ...(typeof name === "string" && { name }), ...(typeof email === "string" && { email }) };
  });
}

export function taggedUserIds({ taggedUserContacts = [] }: Pick<NewComment, "taggedUserContacts">): string[] {
  return [...new Set(taggedUserContacts.map(({ userId }) => userId))];
}
