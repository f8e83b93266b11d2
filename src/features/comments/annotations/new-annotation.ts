import Type, { type Static } from "typebox";
import type { Workspace } from "../../../contract/operation.ts";
import { Identifier, MAX_TIME } from "../../../contract/schema.ts";
import { NewComments } from "../comments/comment.ts";
import { changeableAnnotationFields, DEFAULT_STATUS } from "./annotation.ts";

/** An annotation as it is added, with its first comments. */
export const NewAnnotation = Type.Object({
  annotationId: Type.Optional(Identifier),
  ...changeableAnnotationFields,
  createdAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_TIME,
      description: "Milliseconds since the epoch. A future time becomes the current time.",
    }),
  ),
  commentData: NewComments,
});
type NewAnnotation = Static<typeof NewAnnotation>;

/** Makes the row of an annotation. `annotationId` comes first, so that the record's text is never an empty object. */
export function toAnnotationRow(
  { annotationId, commentData, createdAt, ...fields }: NewAnnotation & { annotationId: string },
  workspace: Workspace,
  organizationId: string,
  documentId: string,
) {
  const from = commentData[0]?.from;
  const status = fields.status ?? DEFAULT_STATUS;
  const metadata = { apiKey: workspace.apiKey, documentId, organizationId };
  return {
    id: annotationId,
    locationId: fields.location?.id ?? null,
    statusId: status.id,
    userId: from?.userId ?? "",
    createdAt: createdAt ?? null,
    record: JSON.stringify({ annotationId, type: "comment", from, ...fields, status, metadata }),
  };
}
