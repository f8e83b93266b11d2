import Type, { type Static } from "typebox";
import { AccessContext, accessFieldsColumn } from "../../../contract/access-context.ts";
import { ChangeResult } from "../../../contract/change-items.ts";
import { FreeFormObject, FreeFormValue, Identifier, User, withUsualFields } from "../../../contract/schema.ts";
import { AnnotationAgent, normalUrl } from "../comments/agent.ts";
import { Comment } from "../comments/comment.ts";
import { Anchor, anchorFields, getEditorId } from "./annotation-anchor.ts";
import { NewStatus, Status } from "./status.ts";
import { Visibility, VisibilityConfig, viewersColumn } from "./visibility.ts";

export const Location = Type.Object(
  { id: Identifier, locationName: Type.Optional(Type.String()) },
  { additionalProperties: true, description: "Place in the document. Further fields are stored." },
);

export const Suggestion = Type.Object(
  { status: Type.Optional(Type.Enum(["pending", "accepted", "rejected"])) },
  { additionalProperties: true, description: "Suggested change. Further fields are stored." },
);

const Priority = Type.Optional(FreeFormValue);
const AssignedTo = Type.Optional(Type.Union([User, Type.Null()]));
const UsualTargetElement = Type.Object(
  {
    elementId: Type.Optional(Type.String({ description: "ID of the element in the page." })),
    targetText: Type.Optional(Type.String({ description: "Text in the element." })),
    occurrence: Type.Optional(Type.Integer({ description: "Number of the occurrence of the text, from 1." })),
    selectAllContent: Type.Optional(Type.Boolean({ description: "Whether the target is all text of the element." })),
  },
  {
    title: "TargetElement",
    additionalProperties: true,
    description: "Element of the document that an annotation refers to.",
  },
);
const TargetElement = Type.Optional(
  Type.Union([withUsualFields(FreeFormObject, UsualTargetElement), Type.Null()], {
    description: "Element of the document that the annotation refers to.",
  }),
);
const StoredContext = Type.Optional(
  Type.Union([FreeFormObject, Type.Null()], {
    description: "The context as it was sent, with `accessFields` if it has `access`.",
  }),
);

const commonFields = {
  location: Type.Optional(Location),
  anchor: Type.Optional(Anchor),
  targetElement: TargetElement,
  priority: Priority,
  assignedTo: AssignedTo,
};

/** Fields that `update` can replace. A new annotation may have all of them. */
export const changeableAnnotationFields = {
  ...commonFields,
  context: Type.Optional(Type.Union([AccessContext, Type.Null()])),
  status: Type.Optional(NewStatus),
  visibility: Type.Optional(Visibility),
};

const PixelLength = Type.Optional(Type.Number());

/** Fields that only a new annotation can have. */
export const fixedAnnotationFields = {
  type: Type.Optional(Type.Enum(["comment", "suggestion"], { default: "comment" })),
  commentType: Type.Optional(Type.Enum(["manual", "chart"], { default: "manual" })),
  pageInfo: Type.Optional(FreeFormObject),
  isPageAnnotation: Type.Optional(Type.Boolean()),
  positionX: PixelLength,
  positionY: PixelLength,
  screenWidth: PixelLength,
  screenHeight: PixelLength,
  screenScrollHeight: PixelLength,
  screenScrollTop: PixelLength,
};

const storedFields = {
  annotationId: Identifier,
  ...fixedAnnotationFields,
  ...commonFields,
  ...anchorFields,
  context: StoredContext,
  status: Status,
  from: Type.Optional(
    Type.Interface(
      [User],
      {},
      { description: "Author of the first comment. Missing after that user's data was deleted." },
    ),
  ),
  agent: Type.Optional(AnnotationAgent),
  suggestion: Type.Optional(Suggestion),
  statusUpdatedByUserId: Type.Optional(Identifier),
  resolvedByUserId: Type.Optional(Identifier),
  visibilityConfig: Type.Optional(VisibilityConfig),
  metadata: Type.Object({ apiKey: Type.String(), documentId: Identifier, organizationId: Identifier }),
};

/** An annotation as it is serialized. */
export const CommentAnnotation = Type.Object(
  {
    ...storedFields,
    createdAt: Type.Integer({ description: "Milliseconds since the epoch." }),
    lastUpdated: Type.Integer({
      description: "Time of the last change of the annotation or its comments, in milliseconds since the epoch.",
    }),
    annotationNumber: Type.Integer({ description: "Fixed number that counts up in the document." }),
    annotationIndex: Type.Integer({ description: "Place in the list, from 1 and across its pages." }),
    sourceType: Type.Enum(["rest-api", "agent"]),
    visibilityConfig: VisibilityConfig,
    hasDraftComments: Type.Boolean({ description: "Always false: the API adds no drafts." }),
    resolvedByUser: Type.Optional(Type.Object({ userId: Identifier })),
    comments: Type.Array(Comment, { description: "Oldest first." }),
  },
  { title: "CommentAnnotation" },
);

/** Outcome of changing one annotation. */
export const AnnotationResult = Type.Interface([ChangeResult], { id: Identifier }, { title: "AnnotationResult" });

const Stored = Type.Object(storedFields);
export interface AnnotationRef {
  documentId: string;
  annotationId: string;
}

/** The record of an annotation. */
export type StoredAnnotation = Static<typeof Stored>;

/** Reads a stored annotation. */
export function readAnnotation(record: string): StoredAnnotation {
  return toAnnotation(JSON.parse(record));
}

/** Casts the parsed record of an annotation. The cast holds because only validated annotations are stored. */
export function toAnnotation(record: object): StoredAnnotation {
  return record as StoredAnnotation;
}

/**
 * Returns the columns that repeat fields of an annotation's record, by their names in SQL. `withTexts` makes the record
 * a text.
 */
export function annotationColumns(annotation: StoredAnnotation) {
  const { type, location, anchor, status, from, resolvedByUserId, suggestion, agent } = annotation;
  const { context, visibilityConfig, anchorState, anchorText } = annotation;
  return {
    location_id: location?.id ?? null,
    anchor_editor_id: getEditorId(anchor),
    anchor: getEditorId(anchor) === null ? null : JSON.stringify({ anchor, anchorState, anchorText }),
    status_id: status.id,
    user_id: from?.userId ?? "",
    resolved_by: resolvedByUserId ?? null,
    suggestion_status: type === "suggestion" ? (suggestion?.status ?? "pending") : null,
    agent_id: agent?.agentId ?? null,
    agent_type: agent?.agentType ?? null,
    agent_source: agent?.agentSource ?? null,
    execution_id: agent?.executionId ?? null,
    agent_url: (agent?.url && normalUrl(agent.url)) ?? null,
    access_fields: accessFieldsColumn(context),
    viewers: viewersColumn(visibilityConfig),
    record: annotation,
  };
}
