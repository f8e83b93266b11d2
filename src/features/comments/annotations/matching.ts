import Type from "typebox";
import type { ChangedRecords } from "../../../contract/change-items.ts";
import type { AccessRole } from "../../../contract/end-user.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { Identifier, Identifiers } from "../../../contract/schema.ts";
import { splitIntoParts } from "../../../json/record-texts.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import type { RecordUsers } from "../../permitted-changes/change-rule.ts";
import { findDeniedChanges, type IntendedChange } from "../../permitted-changes/find-denied-changes.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { MAX_IDS_RETURNED } from "../../tenancy/record-queries.ts";
import { readAnnotation } from "./annotation.ts";
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

/**
 * Locks all matching annotations, oldest first, and processes those that the caller may change in chunks. Returns the
 * first 50,000 IDs of each outcome.
 */
export async function eachPermittedChunk(
  scope: InTransaction<OrganizationScope<Workspace>>,
  filters: Filters & { documentId: string },
  { user, ...change }: Omit<IntendedChange, "documentId">,
  work: (annotations: LockedAnnotation[]) => Promise<void>,
): Promise<ChangedRecords> {
  const intended = { ...change, user, documentId: filters.documentId };
  const denied = new Map<string, AccessRole>();
  const seen = await eachLockedChunk(scope, { ...filters, seenBy: user }, async (annotations) => {
    const users = annotations.map(({ id, record }) => [id, user ? getRecordUsers(record) : {}] as const);
    const lacked = await findDeniedChanges(scope, intended, users);
    for (const [id, role] of lacked) if (denied.size < MAX_IDS_RETURNED) denied.set(id, role);
    const permitted = annotations.filter(({ id }) => !lacked.has(id));
    if (permitted.length > 0) await work(permitted);
  });
  return { changed: seen.difference(denied), denied };
}

function getRecordUsers(record: string): RecordUsers {
  const { from, assignedTo } = readAnnotation(record);
  return { authorId: from?.userId, assigneeId: assignedTo?.userId };
}
