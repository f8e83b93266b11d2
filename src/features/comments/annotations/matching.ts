import Type from "typebox";
import { Identifier, Identifiers } from "../../../contract/schema.ts";
import { splitIntoParts } from "../../../json/record-texts.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import type { InTransaction } from "../../tenancy/organization-scope.ts";
import { MAX_IDS_RETURNED } from "../../tenancy/record-queries.ts";
import type { Filters } from "./annotation-filter-queries.ts";
import { type LockedAnnotation, lockAnnotations } from "./annotation-queries.ts";

/** Fields that select annotations of a document: those that match every field given. */
export const annotationScopeFields = {
  organizationId: Identifier,
  documentId: Identifier,
  annotationIds: Type.Optional(Identifiers),
  locationIds: Type.Optional(Identifiers),
  userIds: Type.Optional(Identifiers),
};

const CHUNK_ANNOTATIONS = 1_000;

/** Locks all matching annotations, oldest first, and processes them in chunks. Returns the first 50,000 ids. */
export async function eachLockedChunk(
  scope: InTransaction<AccessOrganization>,
  filters: Filters,
  work: (annotations: LockedAnnotation[]) => Promise<void>,
): Promise<Set<string>> {
  const ids = new Set<string>();
  let last: LockedAnnotation | undefined;
  do {
    const chunk = { after: last, limit: CHUNK_ANNOTATIONS };
    const annotations = await lockAnnotations(scope, filters, chunk);
    for (const part of splitIntoParts(annotations, ({ record }) => record.length)) await work(part);
    for (const { id } of annotations) if (ids.size < MAX_IDS_RETURNED) ids.add(id);
    last = annotations.length === CHUNK_ANNOTATIONS ? annotations.at(-1) : undefined;
  } while (last);
  return ids;
}
