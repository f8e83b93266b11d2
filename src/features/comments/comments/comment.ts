import Type, { type Static } from "typebox";
import { FreeFormObject, Identifier, User } from "../../../contract/schema.ts";

/** Leaves room above it for 2^53 - 10^15 comments whose ids the service chooses. */
export const CommentId = Type.Integer({ minimum: 0, maximum: 1e15, description: "Unique in its annotation." });

/** 1 to 1,000 ids. */
export const CommentIds = Type.Array(CommentId, { minItems: 1, maxItems: 1000 });

const TaggedUser = Type.Object({
  text: Type.Optional(Type.String({ description: "Text of the tag in the comment, for example `@Grace`." })),
  userId: Identifier,
  contact: Type.Optional(FreeFormObject),
});

/** The fields that `update` can replace. */
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

/** Holds because the texts are written here and in the reactions only, in this shape. */
export function readComment(record: string): Comment {
  return JSON.parse(record) as Comment;
}

/** With the name and the address that came with the tag. */
export function taggedPeople({ taggedUserContacts = [] }: Pick<NewComment, "taggedUserContacts">): User[] {
  return taggedUserContacts.map(({ userId, contact }) => {
    const { name, email }: { name?: unknown; email?: unknown } = contact ?? {};
    return { userId, ...(typeof name === "string" && { name }), ...(typeof email === "string" && { email }) };
  });
}

export function taggedUserIds({ taggedUserContacts = [] }: Pick<NewComment, "taggedUserContacts">): string[] {
  return [...new Set(taggedUserContacts.map(({ userId }) => userId))];
}
