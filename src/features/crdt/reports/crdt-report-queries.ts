import { bigint, integer, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import { isAhead, NOW_MS } from "../../../database/time.ts";
import { recordListenedEvents } from "../../event-log/record-events.ts";
import type { CrossTenantScope, InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";
import {
  type CollaborativeDocumentRef,
  type QualifiedDocumentRef,
  stringifyRef,
} from "../collaborative-document-ref.ts";

/**
 * Returns the statement that marks the collaborative documents of the rows `changed` of a FROM and WHERE as unreported,
 * unless they are already. Writes rows in key order to avoid deadlocks.
 */
export function markUnreported(fromWhere: Sql): Sql {
  return sql`insert into crdt_unreported_changes (organization_key, document_id, editor_id)
    select changed.organization_key, changed.document_id, changed.editor_id ${fromWhere}
    order by changed.organization_key, changed.document_id, changed.editor_id
    on conflict (organization_key, document_id, editor_id) do nothing`;
}

/** Returns the collaborative documents that have been unreported for at least `ageMs`, oldest first. */
export function selectUnreported(
  scope: CrossTenantScope,
  ageMs: number,
  limit: number,
): Promise<QualifiedDocumentRef[]> {
  return scope.run(
    sql<QualifiedDocumentRef>`select ${KEY_DIGITS} as "organizationKey",
        document_id as "documentId", editor_id as "editorId"
      from crdt_unreported_changes where since <= ${NOW_MS} - ${bigint(ageMs)} or ${isAhead(sql`since`)}
      order by since limit ${integer(limit)}`,
  );
}

/**
 * Writes the events of unreported collaborative documents. Waits for the changes in progress, and lets no other begin:
 * each change is before the event, or marks its document again.
 */
export async function reportChanges(
  scope: InTransaction<StoredOrganization>,
  documents: readonly CollaborativeDocumentRef[],
): Promise<void> {
  const documentIds = texts(documents.map(({ documentId }) => documentId));
  const editorIds = texts(documents.map(({ editorId }) => editorId));
  const isGiven = sql`organization_key = ${uuid(scope.key)}
    and (document_id, editor_id) in (select * from unnest(${documentIds}, ${editorIds}))`;
  const locked = await scope.run(
    sql<{ documentId: string; editorId: string }>`select document_id as "documentId", editor_id as "editorId"
      from crdt_documents
      where ${isGiven} and exists (
        select from organizations where organization_key = ${uuid(scope.key)} and deleted_at is null)
      order by document_id, editor_id for update of crdt_documents`,
  );
  const reported = await scope.run(
    sql<{ documentId: string; editorId: string }>`delete from crdt_unreported_changes where ${isGiven}
      returning document_id as "documentId", editor_id as "editorId"`,
  );
  const existing = new Set(locked.map(stringifyRef));
  await recordListenedEvents(
    scope,
    reported
      .filter((document) => existing.has(stringifyRef(document)))
      .map(({ documentId, editorId }) => ({ documentId, kind: "crdt.update_data", subject: { editorId } })),
  );
}
