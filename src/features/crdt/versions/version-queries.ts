import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { bigint, bytea, EMPTY, sql, text, texts, uuid } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../../tenancy/tenancy-queries.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import { isKept, matchesRef } from "../stored/crdt-update-queries.ts";

interface Totals {
  count: number;
  bytes: number;
  /** Time of the newest version; null if there is none. */
  newest: number | null;
}

/**
 * Returns the totals of the versions of a collaborative document, or undefined if it was deleted. Locks the document,
 * so that concurrent calls wait; typing does not.
 */
export async function lockVersions(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  clientId: number,
): Promise<Totals | undefined> {
  const locked = await scope.run(
    sql`select from crdt_documents where ${matchesRef(scope, document)} and client_id = ${bigint(clientId)}
      and ${isKept(sql`${uuid(scope.key)}`)} for no key update`,
  );
  if (locked.length === 0) return undefined;
  const [totals] = await scope.run(
    sql<Totals>`select count(*) as count, coalesce(sum(octet_length(state)), 0)::bigint as bytes,
        max(created_at) as newest
      from crdt_versions where ${matchesRef(scope, document)} and client_id = ${bigint(clientId)}`,
  );
  return totals;
}

/** Writes a version, later than the newest one. Returns false if its ID exists. */
export async function insertVersion(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  version: { id: string; clientId: number; name: string; state: Uint8Array; record: string; newest: number | null },
): Promise<boolean> {
  const { id, clientId, name, state, record, newest } = version;
  await scope.run(
    sql`delete from crdt_versions
      where ${matchesRef(scope, document)} and id = ${text(id)} and client_id <> ${bigint(clientId)}`,
  );
  const written = await scope.run(
    sql`insert into crdt_versions (organization_key, document_id, editor_id, id, client_id, name, state, record,
        created_at)
      values (${uuid(scope.key)}, ${text(document.documentId)}, ${text(document.editorId)}, ${text(id)},
        ${bigint(clientId)}, ${text(name)}, ${bytea(state)}, ${text(record)}::json,
        greatest(${NOW_MS}, ${bigint((newest ?? 0) + 1)}))
      on conflict do nothing returning id`,
  );
  return written.length === 1;
}

/** Returns the condition that a version belongs to the document as it exists, not to a deleted one of the same ID. */
function isOfExistingDocument(scope: StoredOrganization, document: CollaborativeDocumentRef) {
  const isNamed = matchesRef(scope, document);
  return sql`${isNamed} and client_id = (
    select client_id from crdt_documents where ${isNamed} and ${isKept(sql`${uuid(scope.key)}`)})`;
}

/** Fields of a version in every response. */
const SUMMARY = sql`json_build_object('id', id, 'name', name, 'createdAt', created_at)`;

/** Returns one page of the versions of a collaborative document, newest first. */
export function selectVersionPage(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  page: { pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  return selectPageOfRecords(scope, {
    source: sql`from (select created_at, ${SUMMARY} as record, octet_length(name) + 100 as record_bytes
      from crdt_versions where ${isOfExistingDocument(scope, document)}) as version where true`,
    keys: ["created_at"],
    keyType: "bigint",
    order: "desc",
    extra: buildAccessBlock(scope.key, document.documentId),
    ...page,
  });
}

/** Reads the JSON text of a version; null if it does not exist. */
export async function selectVersion(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  id: string,
  includeState: boolean,
): Promise<{ block: AccessBlock | null; version: string | null }> {
  const state = includeState ? sql`',"state":"' || translate(encode(state, 'base64'), E'\\n', '') || '"'` : sql`''`;
  const [row] = await scope.run(
    sql<{ block: AccessBlock | null; version: string | null }>`select
      ${buildAccessBlock(scope.key, document.documentId)} as block,
      (select left(${SUMMARY}::text, -1) || ',' || left(right(record::text, -1), -1) || ${state} || '}'
       from crdt_versions where ${isOfExistingDocument(scope, document)} and id = ${text(id)}) as version`,
  );
  return row ?? { block: null, version: null };
}

/** Reads the Yjs document of a version; undefined if it does not exist. */
export async function selectVersionState(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { id, clientId }: { id: string; clientId: number },
): Promise<Uint8Array | undefined> {
  const [row] = await scope.run(
    sql<{ state: Uint8Array }>`select state from crdt_versions
      where ${matchesRef(scope, document)} and id = ${text(id)} and client_id = ${bigint(clientId)}`,
  );
  return row?.state;
}

/** Deletes the versions with these IDs, or all versions of the document. Locks rows in key order to avoid deadlocks. */
export async function deleteVersionRows(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  ids: string[] | undefined,
): Promise<void> {
  const isRequested = ids ? sql`and id = any(${texts(ids)})` : EMPTY;
  const locked = await scope.run(
    sql<{ id: string }>`select id from crdt_versions
      where ${matchesRef(scope, document)} ${isRequested} order by id for update`,
  );
  const lockedIds = texts(locked.map(({ id }) => id));
  await scope.run(sql`delete from crdt_versions where ${matchesRef(scope, document)} and id = any(${lockedIds})`);
}
