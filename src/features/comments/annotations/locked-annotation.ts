import type { EndUser } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { assertAccessible, requireAccessible } from "../../tenancy/access-block.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { AnnotationRef } from "./annotation.ts";
import { countExisting } from "./annotation-filter-queries.ts";
import { type LockedAnnotation, lockAnnotations } from "./annotation-queries.ts";

/**
 * Locks an annotation for a write. Returns undefined if the document has no such annotation, or none that the calling
 * user may see once it is locked, so that no write follows a change that hides the annotation.
 */
export async function lockAnnotation(
  scope: InTransaction<OrganizationScope<Workspace>>,
  user: EndUser | undefined,
  { documentId, annotationId }: AnnotationRef,
): Promise<LockedAnnotation | undefined> {
  const filters = { documentId, annotationIds: [annotationId] };
  const [annotation] = await lockAnnotations(scope, filters, { after: undefined, limit: 1 });
  if (annotation) assertAccessible(annotation.block, scope.organizationId);
  else await requireAccessible(scope, documentId);
  const isSeen = !user || (annotation && (await countExisting(scope, { ...filters, seenBy: user })) > 0);
  return isSeen ? annotation : undefined;
}

export function annotationNotFound(): ServiceError {
  return new ServiceError("not_found", "The document has no annotation with the ID in data.annotationId.");
}
