import { bigint, integer, sql, uuid } from "../../../../database/sql.ts";
import { isAhead, NOW_MS } from "../../../../database/time.ts";
import type { CrossTenantScope, InTransaction, StoredOrganization } from "../../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../../tenancy/tenancy-queries.ts";
import type { CollaborativeDocumentRef, QualifiedDocumentRef } from "../../collaborative-document-ref.ts";
import { isKept, matchesRef } from "../../stored/crdt-update-queries.ts";

/** Time after which another process may add a version that one has begun to add. */
const CLAIM_MS = 60_000;
/** Time after which a version is tried again of a document whose log cannot be compacted, such as a disabled one. */
const BLOCKED_MS = 60 * 60 * 1000;
/** Condition that nobody edits the document. Processes with changes have updated a newer row. */
const IS_ENDED = sql`changed_at <= ${NOW_MS} - 300000`;

/**
 * Marks a collaborative document as edited, unless its workspace has no automatic versions. Returns whether its editing
 * begins.
 */
export async function markEdited(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
): Promise<boolean> {
  const key = uuid(scope.key);
  const [row] = await scope.run(
    sql<{ isNew: boolean }>`with edited as materialized (
        select organization_key, document_id, editor_id from crdt_documents
        where ${matchesRef(scope, document)} and ${isKept(key)}
      )
      insert into crdt_edits (organization_key, document_id, editor_id, since, changed_at, interval_ms)
      select edited.organization_key, document_id, editor_id, ${NOW_MS}, ${NOW_MS},
        workspace.automatic_version_minutes * 60000
      from edited
      join organizations organization on organization.organization_key = edited.organization_key
      join workspaces workspace on workspace.id = organization.workspace_id
      where organization.organization_key = ${key} and workspace.automatic_version_minutes > 0
      on conflict (organization_key, document_id, editor_id) do update
        set changed_at = excluded.changed_at, interval_ms = excluded.interval_ms, is_left = false
      returning since = changed_at as "isNew"`,
  );
  return row?.isNew ?? false;
}

/** Marks a collaborative document as one that a process has closed, so that a version is added soon. */
export async function markLeft(scope: StoredOrganization, document: CollaborativeDocumentRef): Promise<void> {
  await scope.run(sql`update crdt_edits set is_left = true where ${matchesRef(scope, document)}`);
}

/** Returns collaborative documents of which a version is to be added, the ones that have waited longest first. */
export function selectDue(scope: CrossTenantScope, limit: number): Promise<QualifiedDocumentRef[]> {
  return scope.run(
    sql<QualifiedDocumentRef>`select ${KEY_DIGITS} as "organizationKey",
        document_id as "documentId", editor_id as "editorId"
      from crdt_edits where (due_at <= ${NOW_MS} or ${isAhead(sql`since`)}) order by due_at limit ${integer(limit)}`,
  );
}

/** Claims a due document for a while. Returns false if another process has claimed it. */
export async function claimDue(scope: StoredOrganization, document: CollaborativeDocumentRef): Promise<boolean> {
  const claimed = await scope.run(
    sql`update crdt_edits set claimed_until = ${NOW_MS} + ${bigint(CLAIM_MS)}, since = least(since, ${NOW_MS})
      where ${matchesRef(scope, document)} and (due_at <= ${NOW_MS} or ${isAhead(sql`since`)})
      returning editor_id`,
  );
  return claimed.length > 0;
}

/**
 * Ends the claim, in the transaction that adds the version: deletes the mark if the editing has ended, or begins the
 * next interval. Marks are locked before documents, to avoid deadlocks.
 */
export async function endClaim(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
): Promise<void> {
  const isMarked = matchesRef(scope, document);
  const isLogged = sql`exists (select 1 from crdt_updates where ${isMarked})`;
  await scope.run(sql`delete from crdt_edits where ${isMarked} and ${IS_ENDED} and not ${isLogged}`);
  await scope.run(sql`update crdt_edits set since = ${NOW_MS}, is_left = false, claimed_until = 0 where ${isMarked}`);
  await scope.run(
    sql`update crdt_edits set claimed_until = ${NOW_MS} + ${bigint(BLOCKED_MS)} where ${isMarked} and ${IS_ENDED}`,
  );
}
