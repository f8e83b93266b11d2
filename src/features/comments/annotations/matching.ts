import Type, { type Static } from "typebox";
import { deniedItem } from "../../../contract/denied-item.ts";
import type { AccessRole } from "../../../contract/end-user.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { Identifier, Identifiers, keyedById } from "../../../contract/schema.ts";
import { splitIntoParts } from "../../../json/record-texts.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import type { Involved } from "../../permitted-changes/change-rule.ts";
import { findDeniedChanges, type IntendedChange } from "../../permitted-changes/find-denied-changes.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { MAX_IDS_RETURNED } from "../../tenancy/record-queries.ts";
import { type AnnotationResult, readAnnotation } from "./annotation.ts";
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

/** Outcome of a change of all matching annotations. */
interface Changed {
  /** The first 50,000 IDs of those that were changed. */
  ids: ReadonlySet<string>;
  /** Roles that the user lacks to change others, of as many. */
  denied: ReadonlyMap<string, AccessRole>;
}

/** Locks all matching annotations, oldest first, and processes those that the caller may change in chunks. */
export async function eachPermittedChunk(
  scope: InTransaction<OrganizationScope<Workspace>>,
  filters: Filters & { documentId: string },
  { user, ...change }: Omit<IntendedChange, "documentId">,
  work: (annotations: LockedAnnotation[]) => Promise<void>,
): Promise<Changed> {
  const intended = { ...change, user, documentId: filters.documentId };
  const denied = new Map<string, AccessRole>();
  const seen = await eachLockedChunk(scope, { ...filters, seenBy: user }, async (annotations) => {
    const involved = annotations.map(({ id, record }) => [id, user ? getInvolved(record) : {}] as const);
    const lacked = await findDeniedChanges(scope, intended, involved);
    for (const [id, role] of lacked) if (denied.size < MAX_IDS_RETURNED) denied.set(id, role);
    const permitted = annotations.filter(({ id }) => !lacked.has(id));
    if (permitted.length > 0) await work(permitted);
  });
  return { ids: seen.difference(denied), denied };
}

function getInvolved(record: string): Involved {
  const { from, assignedTo } = readAnnotation(record);
  return { authorId: from?.userId, assigneeId: assignedTo?.userId };
}

/** Returns the items of a change: of the IDs that were sent or, without any, of all annotations that matched. */
export function toItems(
  { ids, denied }: Changed,
  annotationIds: readonly string[] | undefined,
  message: string,
): Record<string, Static<typeof AnnotationResult>> {
  return keyedById(
    (annotationIds ?? [...ids, ...denied.keys()]).map((id) => {
      const requiredRole = denied.get(id);
      if (requiredRole) return [id, { ...deniedItem(requiredRole), id }];
      if (ids.has(id)) return [id, { success: true, id, message }];
      return [id, { success: false, id, message: "Annotation not found." }];
    }),
  );
}
