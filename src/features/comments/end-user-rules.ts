import Type from "typebox";
import type { EndUserRule } from "../../contract/end-user-rule.ts";
import { FreeFormObject, Identifier, Identifiers, UserEmail } from "../../contract/schema.ts";
import { changeableAnnotationFields, fixedAnnotationFields } from "./annotations/annotation.ts";
import { CommentId, CommentIds, changeableCommentFields, NewCommentId } from "./comments/comment.ts";

// Users add comments in their own name and change their own. They neither import nor date anything, act for no agent,
// and name others by ID alone, so that mails go only to addresses that the backend has stored.

const NamedUser = Type.Object({ userId: Identifier });
/** The calling user as named in the token. A photo or another field could show somebody else. */
const Caller = Type.Object({
  userId: Identifier,
  name: Type.Optional(Type.String()),
  email: Type.Optional(UserEmail),
});
const Flag = Type.Optional(Type.Boolean());

const {
  isCommentResolverUsed: _r,
  isCommentTextAvailable: _a,
  createdAt: _c,
  lastUpdated: _l,
  ...textFields
} = changeableCommentFields;

const commentFields = {
  ...textFields,
  taggedUserContacts: Type.Optional(
    Type.Array(Type.Object({ text: Type.Optional(Type.String()), userId: Identifier }), { maxItems: 1000 }),
  ),
};

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
  ),
);

const newComments = { commentData: NewComments, comments: NewComments };
const AUTHORS = ["commentData[].from", "comments[].from"];

const annotationFields = {
  ...changeableAnnotationFields,
  assignedTo: Type.Optional(Type.Union([NamedUser, Type.Null()])),
};

const document = { organizationId: Identifier, documentId: Identifier };
const createFlags = { createOrganization: Flag, createDocument: Flag };
const ownInDocument = { role: "editor", on: "documents", onlyOwnRecords: true } as const;

export const ADD_ANNOTATIONS: EndUserRule = {
  ...ownInDocument,
  identity: { users: AUTHORS.map((path) => `commentAnnotations[].${path}`) },
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
    ),
  }),
};

export const UPDATE_ANNOTATIONS: EndUserRule = {
  ...ownInDocument,
  identity: { users: ["actionUser"] },
  request: Type.Object({
    ...document,
    annotationIds: Identifiers,
    updatedData: Type.Object(annotationFields),
    actionUser: Caller,
    triggerActivities: Flag,
    triggerNotification: Flag,
  }),
};

export const DELETE_ANNOTATIONS: EndUserRule = {
  ...ownInDocument,
  request: Type.Object({ ...document, annotationIds: Identifiers }),
};

export const ADD_COMMENTS: EndUserRule = {
  ...ownInDocument,
  identity: { users: AUTHORS },
  request: Type.Object({ ...document, ...createFlags, ...newComments, annotationId: Identifier }),
};

export const UPDATE_COMMENTS: EndUserRule = {
  ...ownInDocument,
  identity: { users: ["actionUser"] },
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
  ...ownInDocument,
  request: Type.Object({ ...document, annotationId: Identifier, commentIds: CommentIds }),
};

export const REACT: EndUserRule = {
  ...ownInDocument,
  identity: { users: ["from"] },
  request: Type.Object({
    ...document,
    annotationId: Identifier,
    commentId: CommentId,
    reaction: Identifier,
    from: Caller,
  }),
};
