import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { bigint, EMPTY, integer, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import { recordStoredEvents } from "../../event-log/record-events.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../../tenancy/tenancy-queries.ts";
import { beginRecord } from "../collaborative-document.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import { selectUserIds } from "../stored/author-queries.ts";
import { isKept, matchesRef } from "../stored/crdt-update-queries.ts";
import type { VersionKind } from "./version.ts";

interface LockedDocument {
  clientId: number;
  version: number;
  isEmpty: boolean;
  /** Size of the Yjs document. */
  bytes: number;
}

/**
 * Locks a collaborative document, so that concurrent calls that add versions wait; typing does not. Returns undefined
 * if it does not exist.
 */
export async function lockDocument(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
): Promise<LockedDocument | undefined> {
  const [locked] = await scope.run(
    sql<LockedDocument>`select client_id as "clientId", version, octet_length(state) as bytes,
        left(right(record::text, -length(${text(beginRecord(document.editorId))})), 10)
          = any(array['"data":"",', '"data":{},', '"data":[],']) as "isEmpty"
      from crdt_documents
      where ${matchesRef(scope, document)} and ${isKept(sql`${uuid(scope.key)}`)} for no key update`,
  );
  return locked;
}

interface Totals {
  count: number;
  bytes: number;
}

/** Returns the totals of the named versions of a collaborative document. */
export async function selectTotals(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  clientId: number,
): Promise<Totals> {
  const [totals] = await scope.run(
    sql<Totals>`select count(*) as count, coalesce(sum(octet_length(state)), 0)::bigint as bytes
      from crdt_versions
      where ${matchesRef(scope, document)} and client_id = ${bigint(clientId)} and expires_at is null`,
  );
  return totals ?? { count: 0, bytes: 0 };
}

interface NewVersion {
  id: string;
  clientId: number;
  /** Null for an automatic version. */
  name: string | null;
  /** Number of days for which an automatic version is kept. */
  keptDays?: number;
}

/**
 * Writes the state of a locked collaborative document as a version, later than the newest one. Returns false if its ID
 * exists.
 */
export async function insertVersion(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { id, clientId, name, keptDays }: NewVersion,
): Promise<boolean> {
  const isNamed = matchesRef(scope, document);
  const client = bigint(clientId);
  await scope.run(sql`delete from crdt_versions where ${isNamed} and id = ${text(id)} and client_id <> ${client}`);
  const [newest] = await scope.run(
    sql<{ time: number | null }>`select max(created_at) as time from crdt_versions
      where ${isNamed} and client_id = ${client}`,
  );
  const written = await scope.run(
    sql`insert into crdt_versions (organization_key, document_id, editor_id, id, client_id, name, document_version,
        state, record, authors, created_at, expires_at)
      select organization_key, document_id, editor_id, ${text(id)}, client_id, ${text(name)}, version, state,
        ('{' || right(record::text, -length(${text(beginRecord(document.editorId))})))::json, recent_authors,
        greatest(${NOW_MS}, ${bigint((newest?.time ?? 0) + 1)}),
        ${NOW_MS} + ${integer(keptDays ?? null)} * 86400000::bigint
      from crdt_documents where ${isNamed} and client_id = ${client}
      on conflict do nothing returning id`,
  );
  if (written.length === 0) return false;
  await scope.run(sql`update crdt_documents set recent_authors = '{}' where ${isNamed}`);
  await recordVersionsUpdate(scope, document);
  return true;
}

/** Writes the event that the versions of a collaborative document have changed. */
function recordVersionsUpdate(
  scope: InTransaction<StoredOrganization>,
  { documentId, editorId }: CollaborativeDocumentRef,
): Promise<void> {
  return recordStoredEvents(scope, [{ kind: "crdt.versions_update", documentId, subject: { editorId } }]);
}

/** Returns the condition that a version belongs to the document as it exists, not to a deleted one of the same ID. */
function isOfExistingDocument(scope: StoredOrganization, document: CollaborativeDocumentRef) {
  const isNamed = matchesRef(scope, document);
  return sql`${isNamed} and client_id = (
    select client_id from crdt_documents where ${isNamed} and ${isKept(sql`${uuid(scope.key)}`)})`;
}

/** Returns the expression for the fields of a version in every response. */
function buildSummary(scope: StoredOrganization, document: CollaborativeDocumentRef): Sql {
  const kind = sql`case when expires_at is null then 'named' else 'automatic' end`;
  const userIds = selectUserIds(scope, document, sql`authors`);
  return sql`json_build_object('id', id, 'kind', ${kind}, 'name', name, 'userIds', ${userIds},
    'createdAt', created_at)`;
}

/** Returns one page of the versions of a collaborative document, newest first. */
export function selectVersionPage(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { kind, ...page }: { kind: VersionKind | undefined; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  const isAutomatic = sql`and expires_at is ${kind === "automatic" ? sql`not null` : sql`null`}`;
  const isOfKind = kind ? isAutomatic : EMPTY;
  return selectPageOfRecords(scope, {
    source: sql`from (select created_at, ${buildSummary(scope, document)} as record,
        coalesce(octet_length(name), 0) + 100 as record_bytes
      from crdt_versions where ${isOfExistingDocument(scope, document)} ${isOfKind}) as version where true`,
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
  const summary = buildSummary(scope, document);
  const state = includeState ? sql`',"state":"' || translate(encode(state, 'base64'), E'\\n', '') || '"'` : sql`''`;
  const [row] = await scope.run(
    sql<{ block: AccessBlock | null; version: string | null }>`select
      ${buildAccessBlock(scope.key, document.documentId)} as block,
      (select left(${summary}::text, -1) || ',' || left(right(record::text, -1), -1) || ${state} || '}'
       from crdt_versions where ${isOfExistingDocument(scope, document)} and id = ${text(id)}) as version`,
  );
  return row ?? { block: null, version: null };
}

interface VersionState {
  state: Uint8Array;
  createdAt: number;
}

/** Reads the Yjs document of a version; undefined if it does not exist. */
export async function selectVersionState(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { id, clientId }: { id: string; clientId: number },
): Promise<VersionState | undefined> {
  const [row] = await scope.run(
    sql<VersionState>`select state, created_at as "createdAt" from crdt_versions
      where ${matchesRef(scope, document)} and id = ${text(id)} and client_id = ${bigint(clientId)}`,
  );
  return row;
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
  if (locked.length > 0) await recordVersionsUpdate(scope, document);
}

/** Returns the size of a version, and whether it is automatic; undefined if it does not exist. */
export async function selectVersionSize(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { id, clientId }: { id: string; clientId: number },
): Promise<{ bytes: number; isAutomatic: boolean } | undefined> {
  const [row] = await scope.run(
    sql<{ bytes: number; isAutomatic: boolean }>`select octet_length(state) as bytes,
        expires_at is not null as "isAutomatic"
      from crdt_versions
      where ${matchesRef(scope, document)} and id = ${text(id)} and client_id = ${bigint(clientId)}`,
  );
  return row;
}

/** Names a version of a locked document, which makes it a named one. */
export async function nameVersion(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { id, clientId, name }: { id: string; clientId: number; name: string },
): Promise<void> {
  await scope.run(
    sql`update crdt_versions set name = ${text(name)}, expires_at = null
      where ${matchesRef(scope, document)} and id = ${text(id)} and client_id = ${bigint(clientId)}`,
  );
  await recordVersionsUpdate(scope, document);
}
