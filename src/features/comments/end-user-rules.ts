import Type, { type TSchema } from "typebox";
import { USER_LISTS } from "../../config/limits.ts";
import type { EndUserRule } from "../../contract/end-user-rule.ts";
import { Caller, FreeFormObject, Identifier } from "../../contract/schema.ts";
import { changeableAnnotationFields, fixedAnnotationFields, Suggestion } from "./annotations/annotation.ts";
import type { UserField } from "./annotations/field-rules.ts";
import { annotationScopeFields } from "./annotations/matching.ts";
import { CommentId, CommentIds, changeableCommentFields, NewCommentId } from "./comments/comment.ts";

// Users add comments in their own name. They neither import nor date anything, act for no agent,
// and name others by ID alone, so that mails go only to addresses that the backend has stored.

const NamedUser = Type.Object({ userId: Identifier });
const Flag = Type.Optional(Type.Boolean());

/** Fields of comments that only backends send. */
type BackendField = "isCommentResolverUsed" | "isCommentTextAvailable" | "createdAt" | "lastUpdated";

const { commentText, commentHtml, attachments, context } = changeableCommentFields;
const commentFields = {
  ...{ commentText, commentHtml, attachments, context },
  taggedUserContacts: Type.Optional(
    Type.Array(Type.Object({ text: Type.Optional(Type.String()), userId: Identifier }), {
      maxItems: USER_LISTS.mentions,
    }),
  ),
  taggedUserGroups: Type.Optional(
    Type.Array(Type.Object({ text: Type.Optional(Type.String()), groupId: Identifier }), {
      maxItems: USER_LISTS.mentionedGroups,
    }),
  ),
} satisfies Record<Exclude<keyof typeof changeableCommentFields, BackendField>, TSchema>;

const NewComments = Type.Optional(
  Type.Array(
    Type.Object({
      ...commentFields,
      commentId: Type.Optional(NewCommentId),
      from: Caller,
      metadata: Type.Optional(FreeFormObject),
      triggerNotification: Flag,
      triggerActivities: Flag,
    }),
    { maxItems: USER_LISTS.comments },
  ),
);

const newComments = { commentData: NewComments, comments: NewComments };
const AUTHORS = ["commentData[].from", "comments[].from"];

const { location, anchor, targetElement, priority, status, visibility } = changeableAnnotationFields;
const annotationFields = {
  ...{ location, anchor, targetElement, priority, status, visibility, context: changeableAnnotationFields.context },
  assignedTo: Type.Optional(Type.Union([NamedUser, Type.Null()])),
  suggestion: Type.Optional(Suggestion),
} satisfies Record<UserField, TSchema>;

const document = { organizationId: Identifier, documentId: Identifier };
const createFlags = { createOrganization: Flag, createDocument: Flag };
const inDocument = { role: "commenter", on: "documents" } as const;

export const ADD_ANNOTATIONS: EndUserRule = {
  ...inDocument,
  changes: "own",
  identity: { users: AUTHORS.map((path) => `commentAnnotations[].${path}`) },
  adds: ["commentAnnotations.commentData", "commentAnnotations.comments"],
  request: Type.Object({
    ...document,
    ...createFlags,
    commentAnnotations: Type.Array(
      Type.Object({
        ...fixedAnnotationFields,
        ...annotationFields,
        ...newComments,
        annotationId: Type.Optional(Identifier),
      }),
      { maxItems: USER_LISTS.annotations },
    ),
  }),
};

/** A viewer may resolve what is assigned to them. */
export const UPDATE_ANNOTATIONS: EndUserRule = {
  role: "viewer",
  on: "documents",
  changes: "byField",
  identity: { users: ["actionUser"] },
  countsChanged: true,
  request: Type.Object({
    ...annotationScopeFields,
    updatedData: Type.Object(annotationFields),
    actionUser: Caller,
    triggerActivities: Flag,
    triggerNotification: Flag,
  }),
};

export const DELETE_ANNOTATIONS: EndUserRule = {
  ...inDocument,
  changes: "moderated",
  identity: { users: ["actionUser"] },
  request: Type.Object({ ...annotationScopeFields, actionUser: Caller, triggerActivities: Flag }),
};

export const ADD_COMMENTS: EndUserRule = {
  ...inDocument,
  changes: "own",
  identity: { users: AUTHORS },
  adds: ["commentData", "comments"],
  request: Type.Object({ ...document, ...createFlags, ...newComments, annotationId: Identifier }),
};

export const UPDATE_COMMENTS: EndUserRule = {
  ...inDocument,
  changes: "moderated",
  identity: { users: ["actionUser"] },
  countsChanged: true,
  request: Type.Object({
    ...document,
    annotationId: Identifier,
    commentIds: CommentIds,
    updatedData: Type.Object(commentFields),
    actionUser: Caller,
    triggerNotification: Flag,
  }),
};

export const DELETE_COMMENTS: EndUserRule = {
  ...inDocument,
  changes: "moderated",
  identity: { users: ["actionUser"] },
  request: Type.Object({
    ...document,
    annotationId: Identifier,
    commentIds: Type.Optional(CommentIds),
    actionUser: Caller,
    triggerActivities: Flag,
  }),
};

export const REACT: EndUserRule = {
  ...inDocument,
  changes: "own",
  identity: { users: ["from"] },
  request: Type.Object({
    ...document,
    annotationId: Identifier,
    commentId: CommentId,
    reaction: Identifier,
    from: Caller,
  }),
};
