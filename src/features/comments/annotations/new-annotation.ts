import Type, { type Static } from "typebox";
import { withAccessFields } from "../../../contract/access-context.ts";
import { invalidFields } from "../../../contract/errors.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { Identifier, PastTime, User } from "../../../contract/schema.ts";
import { newId } from "../../../database/new-id.ts";
import { withTexts } from "../../../json/record-texts.ts";
import { annotationAgent } from "../comments/agent.ts";
import { hasOneList, type NewComment, newCommentFields, newCommentsIn, ONE_LIST } from "../comments/comment.ts";
import { annotationColumns, changeableAnnotationFields, fixedAnnotationFields, Suggestion } from "./annotation.ts";
import { anchorFields, getAnchorFields } from "./annotation-anchor.ts";
import { toStatus } from "./status.ts";
import { getVisibility, type VisibilityConfig } from "./visibility.ts";

/** An annotation as it is added, with its first comments. */
export const NewAnnotation = Type.Refine(
  Type.Object({
    annotationId: Type.Optional(Identifier),
    ...fixedAnnotationFields,
    ...changeableAnnotationFields,
    suggestion: Type.Optional(Suggestion),
    createdAt: Type.Optional(PastTime),
    lastUpdated: Type.Optional(PastTime),
    ...newCommentFields,
  }),
  hasOneList,
  () => ONE_LIST,
);
export type NewAnnotation = Static<typeof NewAnnotation>;

/** Fields that an imported annotation has of its own, and others get from their comments and updates. */
export const importedAnnotationFields = {
  from: Type.Optional(User),
  statusUpdatedByUserId: Type.Optional(Identifier),
  resolvedByUserId: Type.Optional(Identifier),
  ...anchorFields,
};
type ImportedFields = Static<ReturnType<typeof Type.Object<typeof importedAnnotationFields>>>;

/** A new annotation with its ID, and its comments under one name. */
export type IdentifiedAnnotation = Omit<NewAnnotation, "comments" | "visibility"> &
  ImportedFields & {
    annotationId: string;
    commentData: (NewComment & { isUpdated?: boolean })[];
    visibilityConfig?: VisibilityConfig;
  };

/** Returns the annotation of a request. Its author is that of its first comment, and its suggestion is pending. */
export function identify(annotation: NewAnnotation): IdentifiedAnnotation {
  const { comments: _, suggestion, visibility, ...given } = annotation;
  const commentData = newCommentsIn(annotation).given;
  const from = commentData[0]?.from;
  return {
    annotationId: newId(),
    ...given,
    ...(from && { from }),
    ...(suggestion && { suggestion: { ...suggestion, status: "pending" } }),
    ...getVisibility(visibility, from),
    commentData,
  };
}

/** Returns the IDs by which callers know an annotation. An agent also knows it by its finding. */
export function getIds({ annotationId, commentData }: IdentifiedAnnotation) {
  const findingId = commentData[0]?.agent?.reason.findingId;
  return { annotationId, ...(findingId !== undefined && { findingId }) };
}

/** Throws INVALID_ARGUMENT if an annotation that is not a suggestion has one. */
export function rejectSuggestionsOfOtherTypes(annotations: NewAnnotation[]): void {
  const [first, ...others] = annotations.flatMap(({ type, suggestion }, index) =>
    suggestion && type !== "suggestion"
      ? [{ path: `data.commentAnnotations[${index}].suggestion`, message: "requires type to be suggestion" }]
      : [],
  );
  if (first) throw invalidFields(first, ...others);
}

/** Makes the rows of annotations. */
export function toAnnotationRows(
  annotations: IdentifiedAnnotation[],
  workspace: Workspace,
  organizationId: string,
  documentId: string,
) {
  return withTexts(annotations.map((annotation) => toRow(annotation, workspace, organizationId, documentId)));
}

/** Makes the row of an annotation. `annotationId` comes first, so that the record's text is never an empty object. */
function toRow(
  { annotationId, commentData, createdAt, lastUpdated, ...fields }: IdentifiedAnnotation,
  workspace: Workspace,
  organizationId: string,
  documentId: string,
) {
  const { type = "comment", commentType = "manual", suggestion, context } = fields;
  const agent = commentData[0]?.agent;
  const stored = {
    annotationId,
    ...getAnchorFields(fields.anchor),
    ...fields,
    type,
    commentType,
    ...(context && { context: withAccessFields(context) }),
    ...(type === "suggestion" && { suggestion: { ...suggestion, status: suggestion?.status ?? "pending" } }),
    ...(agent && { agent: annotationAgent(agent) }),
    status: toStatus(fields.status),
    metadata: { apiKey: workspace.apiKey, documentId, organizationId },
  };
  return {
    id: annotationId,
    createdAt: createdAt ?? null,
    updatedAt: lastUpdated ?? null,
    ...annotationColumns(stored),
  };
}
