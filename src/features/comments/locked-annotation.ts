import type { Queryable } from "../../database/database.ts";
import { ServiceError } from "../../http/errors.ts";
import { refuseObstacle, requireOpen } from "../organizations/organization.ts";
import { organizationKey } from "../organizations/organization-key.ts";
import { type LockedAnnotation, lockAnnotations } from "./queries.ts";

interface Address {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

/** For a write into one annotation. Undefined where there is none in the document. */
export async function lockAnnotation(
  transaction: Queryable,
  workspace: { id: string },
  { organizationId, documentId, annotationId }: Address,
): Promise<LockedAnnotation | undefined> {
  const key = organizationKey(workspace.id, organizationId);
  const filters = { documentId, annotationIds: [annotationId] };
  const [annotation] = await lockAnnotations(transaction, key, filters, { after: undefined, limit: 1 });
  if (annotation) refuseObstacle(annotation.obstacle, organizationId);
  else await requireOpen(transaction, key, organizationId);
  return annotation;
}

export function annotationNotFound(): ServiceError {
  return new ServiceError("NOT_FOUND", "data.annotationId names no annotation of this document.");
}
