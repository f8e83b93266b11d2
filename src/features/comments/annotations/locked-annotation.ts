import { ServiceError } from "../../../contract/errors.ts";
import type { Queryable } from "../../../database/statement.ts";
import { assertAccessible, requireAccessible } from "../../tenancy/access.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { type LockedAnnotation, lockAnnotations } from "./queries.ts";

interface AnnotationRef {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

/** Locks an annotation for a write. Returns undefined if the document has no such annotation. */
export async function lockAnnotation(
  transaction: Queryable,
  workspace: { id: string },
  { organizationId, documentId, annotationId }: AnnotationRef,
): Promise<LockedAnnotation | undefined> {
  const key = organizationKey(workspace.id, organizationId);
  const filters = { documentId, annotationIds: [annotationId] };
  const [annotation] = await lockAnnotations(transaction, key, filters, { after: undefined, limit: 1 });
  if (annotation) assertAccessible(annotation.block, organizationId);
  else await requireAccessible(transaction, key, organizationId, documentId);
  return annotation;
}

export function annotationNotFound(): ServiceError {
  return new ServiceError("not_found", "data.annotationId names no annotation of this document.");
}
