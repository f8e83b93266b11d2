import type { EndUser } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { Queryable } from "../../../database/statement.ts";
import { endUserScope } from "../../access/organization-scope.ts";
import { assertAccessible, requireAccessible } from "../../tenancy/access-block.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { countExisting } from "./annotation-filter-queries.ts";
import { type LockedAnnotation, lockAnnotations } from "./annotation-queries.ts";

interface AnnotationIds {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

/**
 * Locks an annotation for a write. Returns undefined if the document has no such annotation, or none that the calling
 * user may see once it is locked, so that no write follows a change that hides the annotation.
 */
export async function lockAnnotation(
  transaction: Queryable,
  { workspace, user }: { workspace: Workspace; user: EndUser | undefined },
  { organizationId, documentId, annotationId }: AnnotationIds,
): Promise<LockedAnnotation | undefined> {
  const key = organizationKey(workspace.id, organizationId);
  const filters = { documentId, annotationIds: [annotationId] };
  const [annotation] = await lockAnnotations(transaction, key, filters, { after: undefined, limit: 1 });
  if (annotation) assertAccessible(annotation.block, organizationId);
  else await requireAccessible(transaction, key, organizationId, documentId);
  const seenBy = endUserScope(workspace, organizationId, user);
  const isSeen = !seenBy || (annotation && (await countExisting(transaction, key, { ...filters, seenBy })) > 0);
  return isSeen ? annotation : undefined;
}

export function annotationNotFound(): ServiceError {
  return new ServiceError("not_found", "The document has no annotation with the ID in data.annotationId.");
}
