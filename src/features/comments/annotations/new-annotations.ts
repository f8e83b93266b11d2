import type { EndUser } from "../../../contract/end-user.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type AddedComment, insertNewComments, type NewCommentsOf } from "../comments/new-comments.ts";
import { insertAnnotations } from "./annotation-queries.ts";
import { type IdentifiedAnnotation, toAnnotationRows } from "./new-annotation.ts";

interface AddedAnnotation<Annotation> {
  annotation: Annotation;
  position: NewCommentsOf["annotation"];
  comments: AddedComment[];
}

/**
 * Inserts annotations with their comments, and triggers nothing. Returns those that did not exist, in the given order.
 * The transaction must have ensured the document.
 */
export async function insertNewAnnotations<Annotation extends IdentifiedAnnotation>(
  scope: InTransaction<OrganizationScope<Workspace>>,
  documentId: string,
  annotations: Annotation[],
  user?: EndUser,
): Promise<AddedAnnotation<Annotation>[]> {
  const rows = toAnnotationRows(annotations, scope.workspace, scope.organizationId, documentId);
  const inserted = await insertAnnotations(scope, documentId, rows);
  const additions = annotations.flatMap((annotation) => {
    const position = inserted.get(annotation.annotationId);
    return position ? [{ annotation, position: { ...position, lastCommentId: 0 } }] : [];
  });
  const added = await insertNewComments(
    scope,
    additions.map(({ annotation: { commentData }, position }) => ({ annotation: position, commentData })),
    { isNew: true, user },
  );
  return additions.map((addition, index) => ({ ...addition, comments: added[index] ?? [] }));
}
