import Type, { type Static } from "typebox";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { ChangeResult } from "../../../contract/change-items.ts";
import {
  FreeFormObject,
  FreeFormValue,
  Identifier,
  PastTime,
  RecordContext,
  UrlExpiresAt,
  User,
  UserEmail,
  withUsualFields,
} from "../../../contract/schema.ts";
import { Agent, StoredAgent } from "./agent.ts";

const COMMENT_ID = { minimum: 0, description: "Unique in its annotation." };
/** Id of a comment. */
export const CommentId = Type.Integer({ ...COMMENT_ID, maximum: Number.MAX_SAFE_INTEGER });
/** Id that a caller chooses. The maximum leaves 2^53 - 10^15 ids, from the largest on, for the service to generate. */
export const NewCommentId = Type.Integer({ ...COMMENT_ID, maximum: 1e15 });

/** List of 1 to 1,000 comment ids. */
export const CommentIds = Type.Array(CommentId, { minItems: 1, maxItems: 1000 });

/** What the caller knows of a tagged user. Further fields are stored as sent. */
const Contact = Type.Object(
  {
    userId: Type.Optional(FreeFormValue),
    name: Type.Optional(FreeFormValue),
    email: Type.Optional(Type.Union([UserEmail, Type.Null()])),
  },
  { additionalProperties: true },
);

const TaggedUser = Type.Object({
  text: Type.Optional(Type.String({ description: "Text of the tag in the comment, for example `@Grace`." })),
  userId: Identifier,
  contact: Type.Optional(Contact),
});

/** Fields of a tagged user group. */
const taggedGroupFields = {
  text: Type.Optional(Type.String({ description: "Text of the tag in the comment, for example `@Legal`." })),
  groupId: Identifier,
};

const TaggedUserIds = Type.Array(Identifier, {
  maxItems: RECORD_LIMITS.mentionedMembers,
  description: "Users whom the tag mentions: the members of the group when it was tagged, unless they are sent.",
});

const Attachment = withUsualFields(
  FreeFormObject,
  Type.Object(
    {
      attachmentId: Type.Optional(Type.Integer()),
      fileId: Type.Optional(
        Type.String({ description: "A file of `/v2/files/add`, which then belongs to the comment." }),
      ),
      url: Type.Optional(
        Type.String({
          description: "Address of the file. With `fileId` it is signed when the comment is read.",
        }),
      ),
      urlExpiresAt: Type.Optional(UrlExpiresAt),
      mimeType: Type.Optional(Type.String({ description: "For example `image/png`." })),
      name: Type.Optional(Type.String()),
      type: Type.Optional(Type.String({ description: "File type, for example `png`." })),
      size: Type.Optional(Type.Integer({ description: "Size in bytes." })),
    },
    { title: "CommentAttachment", additionalProperties: true, description: "File of a comment." },
  ),
);

/** Fields that are stored in the record of a comment as they are sent. */
const recordFields = {
  commentText: Type.Optional(Type.String()),
  commentHtml: Type.Optional(Type.String({ description: "Stored as sent. Sanitize it before you display it." })),
  taggedUserContacts: Type.Optional(Type.Array(TaggedUser, { maxItems: 1000 })),
  taggedUserGroups: Type.Optional(
    Type.Array(Type.Object({ ...taggedGroupFields, userIds: Type.Optional(TaggedUserIds) }), { maxItems: 100 }),
  ),
  attachments: Type.Optional(Type.Array(Attachment, { maxItems: 1000 })),
  context: Type.Optional(RecordContext),
  isCommentResolverUsed: Type.Optional(
    Type.Boolean({ description: "Whether a resolver in your client holds the texts of the comment." }),
  ),
};

/** Fields that `update` can replace. */
export const changeableCommentFields = {
  ...recordFields,
  isCommentTextAvailable: Type.Optional(
    Type.Boolean({ description: "The default is whether `commentText` has characters." }),
  ),
  createdAt: Type.Optional(PastTime),
  lastUpdated: Type.Optional(PastTime),
};

export const NewComment = Type.Object({
  commentId: Type.Optional(NewCommentId),
  from: User,
  ...changeableCommentFields,
  metadata: Type.Optional(FreeFormObject),
  agent: Type.Optional(Agent),
  triggerNotification: Type.Optional(Type.Boolean({ default: false })),
  triggerActivities: Type.Optional(Type.Boolean({ default: false })),
});
export type NewComment = Static<typeof NewComment>;

const NewComments = Type.Array(NewComment, { minItems: 1, maxItems: 500 });

/** The list of new comments under either of its names. A request has exactly one of them. */
export const newCommentFields = {
  commentData: Type.Optional(NewComments),
  comments: Type.Optional(
    Type.Array(NewComment, { minItems: 1, maxItems: 500, description: "Another name of `commentData`." }),
  ),
};

interface Named {
  commentData?: NewComment[];
  comments?: NewComment[];
}

export function hasOneList({ commentData, comments }: Named): boolean {
  return (commentData === undefined) !== (comments === undefined);
}

export const ONE_LIST = "must have either commentData or comments";

/** Returns the new comments and the name of their field. */
export function newCommentsIn({ commentData, comments }: Named): { list: string; given: NewComment[] } {
  return commentData ? { list: "commentData", given: commentData } : { list: "comments", given: comments ?? [] };
}

const storedFields = {
  ...recordFields,
  taggedUserGroups: Type.Optional(Type.Array(Type.Object({ ...taggedGroupFields, userIds: TaggedUserIds }))),
  from: User,
  metadata: Type.Optional(FreeFormObject),
  agent: Type.Optional(StoredAgent),
  updatedByUserId: Type.Optional(Identifier),
};

/** A new comment that mentions a user. */
export const COMMENT_EXAMPLE = {
  commentId: 1,
  commentText: "Should this say thirty days, @Grace?",
  from: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
  createdAt: 1_795_512_600_000,
  lastUpdated: "2026-11-24T09:30:00.000Z",
  type: "text",
  status: "added",
  isDraft: false,
  isCommentTextAvailable: true,
  attachments: [],
  taggedUserContacts: [{ text: "@Grace", userId: "grace" }],
  reactions: [],
  reactionAnnotationIds: [],
  reactionAnnotations: [],
};

/** A comment as it is serialized. */
export const Comment = Type.Object(
  {
    ...storedFields,
    commentId: Type.Integer(),
    createdAt: Type.Integer({ description: "Milliseconds since the epoch." }),
    lastUpdated: Type.String({ description: "Time of the last change in ISO 8601, in UTC." }),
    type: Type.Literal("text"),
    status: Type.Enum(["added", "updated"]),
    isDraft: Type.Boolean(),
    isCommentTextAvailable: Type.Boolean(),
    attachments: Type.Array(Attachment),
    taggedUserContacts: Type.Array(TaggedUser),
    sourceType: Type.Optional(Type.Literal("agent", { description: "Present if an agent has written the comment." })),
    reactions: Type.Array(Type.Object({ reaction: Identifier, userIds: Type.Array(Identifier) })),
    reactionAnnotationIds: Type.Array(Type.String()),
    reactionAnnotations: Type.Array(
      Type.Object({
        annotationId: Type.String(),
        type: Type.Literal("reaction"),
        icon: Type.String({ description: "The `reaction` as sent." }),
        commentAnnotationId: Identifier,
        lastUpdated: Type.Integer({ description: "Milliseconds since the epoch." }),
        fromUsers: Type.Array(Type.Object({ lastUpdated: Type.Integer(), from: User })),
      }),
    ),
  },
  { title: "Comment", examples: [COMMENT_EXAMPLE] },
);

/** Outcome of changing one comment. */
export const CommentResult = Type.Interface([ChangeResult], { id: Type.Integer() }, { title: "CommentResult" });

const Stored = Type.Object(storedFields);
/** The record of a comment: fields as they were sent. */
export type StoredComment = Static<typeof Stored>;

/** Reads a stored comment. */
export function readComment(record: string): StoredComment {
  return toComment(JSON.parse(record));
}

/** Casts the parsed record of a comment. The cast holds because only comments write the texts, in this shape. */
export function toComment(record: object): StoredComment {
  return record as StoredComment;
}

/** Returns the columns that repeat fields of a comment's record, which `withTexts` makes a text. */
export function commentColumns(comment: StoredComment) {
  return {
    userId: comment.from.userId,
    taggedUserIds: taggedUserIds(comment),
    hasAttachments: comment.attachments !== undefined,
    hasTaggedUsers: comment.taggedUserContacts !== undefined,
    hasAgent: comment.agent !== undefined,
    record: comment,
  };
}

type Tags = Pick<StoredComment, "taggedUserContacts" | "taggedUserGroups">;

/** Returns the tagged users, with the name and address given in the tag, and the members of the tagged groups. */
export function taggedUsers({ taggedUserContacts = [], taggedUserGroups = [] }: Tags): User[] {
  const users = taggedUserContacts.map(({ userId, contact }) => {
    const { name, email }: { name?: unknown; email?: unknown } = contact ?? {};
    return { userId, ...(typeof name === "string" && { name }), ...(typeof email === "string" && { email }) };
  });
  return [...users, ...taggedUserGroups.flatMap(({ userIds }) => userIds.map((userId) => ({ userId })))];
}

export function taggedUserIds(comment: Tags): string[] {
  return [...new Set(taggedUsers(comment).map(({ userId }) => userId))];
}
