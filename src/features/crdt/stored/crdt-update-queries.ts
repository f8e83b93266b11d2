import {
  bigint,
  bigints,
  bytea,
  byteas,
  EMPTY,
  type Parameter,
  type Sql,
  sql,
  text,
  texts,
  uuid,
  uuids,
} from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { isOfListenedWorkspace, selectEventLog } from "../../event-log/event-log-queries.ts";
import { hasListeners } from "../../event-log/record-events.ts";
import { awaitsDocumentPurge } from "../../purge/overwriting-queries.ts";
import { batchedInOrganization } from "../../tenancy/organization-batch.ts";
import type { CrossTenantScope, InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, buildJoinedBlock } from "../../tenancy/tenancy-queries.ts";
import type { RenewedAnchor } from "../anchors/renew-anchors.ts";
import { writeAnchors } from "../anchors/write-anchors.ts";
import type { CollaborativeDocumentRef, QualifiedDocumentRef } from "../collaborative-document-ref.ts";
import { markUnreported } from "../reports/crdt-report-queries.ts";
import type { SharedType } from "../shared-type.ts";
import type { DocumentOwner } from "../yjs-document-pool.ts";

// A Yjs document is stored as its state together with the updates of its log, in any order. A statement that reads both
// sees one snapshot, so a concurrent compaction cannot hide an update.

export function isOfDocument(scope: StoredOrganization, documentId: string): Sql {
  return sql`organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`;
}

export function matchesRef(scope: StoredOrganization, { documentId, editorId }: CollaborativeDocumentRef): Sql {
  return sql`${isOfDocument(scope, documentId)} and editor_id = ${text(editorId)}`;
}

/** Returns the condition that a collaborative document was not deleted with its document. */
export function isKept(organization: Parameter | Sql): Sql {
  return sql`not ${awaitsDocumentPurge(organization, "crdt_documents")}`;
}

/** Updates of a log, with their IDs in the same order. */
interface LoggedUpdates {
  updateIds: string[];
  updates: Uint8Array[];
  /** Authors of the updates; null for those of nobody who is known. */
  authorIds: (string | null)[];
}

export interface StoredDocument extends LoggedUpdates {
  owner: DocumentOwner;
  type: SharedType;
  contentKey: string;
  /** Version of the state. */
  version: number;
  /** Together with the version, it tells whether the state is still the same. */
  clientId: number;
  state: Uint8Array;
  /** Who wrote what in the state. */
  attributions: Uint8Array | null;
}

/** Returns columns with the log of the same row's document; `condition` limits the updates. */
function buildLoggedUpdates(scope: StoredOrganization, document: CollaborativeDocumentRef, condition = EMPTY): Sql {
  const isLogged = sql`from crdt_updates where ${matchesRef(scope, document)}
    and crdt_updates.client_id = crdt_documents.client_id ${condition}`;
  return sql`array(select id::text ${isLogged} order by id) as "updateIds",
    array(select yjs_update ${isLogged} order by id) as updates,
    array(select author_id::text ${isLogged} order by id) as "authorIds"`;
}

/** Reads a document without locking it; `stored` is absent if it does not exist. */
export async function selectDocument(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
): Promise<{ block: AccessBlock | null; stored: StoredDocument | undefined }> {
  const [row] = await scope.run(
    sql<{ block: AccessBlock | null; workspaceId: string } & (Omit<StoredDocument, "owner"> | { state: null })>`select
        ${buildAccessBlock(scope.key, document.documentId)} as block,
        (select workspace_id::text from organizations where organization_key = ${uuid(scope.key)}) as "workspaceId",
        type, content_key as "contentKey", version, client_id as "clientId", state, attributions,
        ${buildLoggedUpdates(scope, document)}
      from (select) as always
      left join crdt_documents on ${matchesRef(scope, document)} and ${isKept(sql`${uuid(scope.key)}`)}`,
  );
  if (!row || row.state === null) return { block: row?.block ?? null, stored: undefined };
  const { block, workspaceId, ...stored } = row;
  return { block, stored: { ...stored, owner: { workspaceId, organizationKey: scope.key } } };
}

/**
 * Replaces the state of a document and deletes the updates that it contains. Returns false and writes nothing if it has
 * another version, is deleted, or has an access block. A compaction keeps the time of the newest update.
 */
export async function replaceDocument(
  transaction: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  given: Omit<StoredDocument, "owner" | "type" | "contentKey" | "updates"> & {
    record: string;
    isCompaction: boolean;
    /** Author of the change, unless it is a compaction. */
    authorId?: string | null;
    /** Anchors that change with the content. */
    renewedAnchors?: readonly RenewedAnchor[];
  },
): Promise<boolean> {
  const { version, clientId, state, attributions, record, updateIds, authorIds, isCompaction } = given;
  const updatedBy = isCompaction ? (authorIds.at(-1) ?? null) : (given.authorId ?? null);
  const recentAuthors = [...new Set([...authorIds, updatedBy])].filter((id) => id !== null);
  const isCompacted = sql`${matchesRef(transaction, document)} and id = any(${uuids(updateIds)})`;
  const written = isCompaction
    ? sql`greatest(updated_at, (select max(written_at) from crdt_updates where ${isCompacted}))`
    : NOW_MS;
  const replace = sql`update crdt_documents set version = version + 1, state = ${bytea(state)},
      attributions = ${bytea(attributions)}, updated_by = ${uuid(updatedBy)},
      recent_authors = array(select distinct unnest(recent_authors || ${uuids(recentAuthors)})),
      record = ${text(record)}::json, record_bytes = octet_length(${text(record)}), updated_at = ${written}
    where ${matchesRef(transaction, document)} and version = ${bigint(version)} and client_id = ${bigint(clientId)}
      and ${isKept(sql`${uuid(transaction.key)}`)}
      and ${buildAccessBlock(transaction.key, document.documentId)} is null
    returning editor_id`;
  const key = uuid(transaction.key);
  const changed = sql`from crdt_documents as changed
    where changed.organization_key = ${key} and changed.document_id = ${text(document.documentId)}
      and changed.editor_id = ${text(document.editorId)}`;
  if ((await transaction.run(replace)).length === 0) return false;
  if (updateIds.length > 0) await transaction.run(sql`delete from crdt_updates where ${isCompacted}`);
  if (isCompaction) return true;
  await writeAnchors(transaction, document.documentId, given.renewedAnchors ?? []);
  const eventLog = await selectEventLog(transaction);
  if (hasListeners({ eventLog })) await transaction.run(markUnreported(changed));
  return true;
}

/** Returns the IDs of the collaborative documents, or of the given one, that have updates in their log. */
export async function selectUncompacted(
  scope: StoredOrganization,
  documentId: string,
  editorId: string | undefined,
): Promise<string[]> {
  const isRequested = editorId === undefined ? EMPTY : sql`and editor_id = ${text(editorId)}`;
  const rows = await scope.run(
    sql<{ editorId: string }>`select distinct editor_id as "editorId" from crdt_updates
      where ${isOfDocument(scope, documentId)} ${isRequested} order by editor_id`,
  );
  return rows.map((row) => row.editorId);
}

interface AppendCall extends CollaborativeDocumentRef {
  clientId: number;
  /** Unique ID of the update, in order of time. */
  id: string;
  update: Uint8Array;
  authorId: string | null;
}

/**
 * Time for which updates are gathered. Users who type do not notice it. With 1,000 updates a second, it saves the
 * service a fifth of its processor time, and PostgreSQL half (`npm run bench -- document-sync`).
 */
const GATHER_MS = 10;

/**
 * Adds updates of many calls to the logs of their documents with one statement. A call with an access block, or whose
 * document was deleted, writes nothing. Locks the documents in key order, so that none is deleted meanwhile; appending
 * and compacting do not wait for each other.
 */
export const appendUpdate = batchedInOrganization<AppendCall, { block: AccessBlock | null; isAppended: boolean }>({
  byteSize: ({ update }) => 2 * update.length,
  conflictKeys: () => [],
  gatherMs: GATHER_MS,
  run(scope, calls) {
    const organization = uuid(scope.key);
    const documentIds = texts(calls.map(({ documentId }) => documentId));
    const editorIds = texts(calls.map(({ editorId }) => editorId));
    const clientIds = bigints(calls.map(({ clientId }) => clientId));
    const ids = uuids(calls.map(({ id }) => id));
    const updates = byteas(calls.map(({ update }) => update));
    const authorIds = uuids(calls.map(({ authorId }) => authorId));
    return scope.run(
      sql<{ block: AccessBlock | null; isAppended: boolean }>`with locked as (
          select document_id, editor_id, client_id from crdt_documents
          where organization_key = ${organization} and document_id = any(${documentIds})
            and editor_id = any(${editorIds}) and ${isKept(organization)}
          order by document_id, editor_id
          for key share
        ), call as (
          select ${organization} as organization_key, call.*, ${buildJoinedBlock("organization", "document")} as block,
            locked.client_id is not null as is_found, ${isOfListenedWorkspace(organization)} as is_listened_to
          from unnest(${documentIds}, ${editorIds}, ${clientIds}, ${ids}, ${updates}, ${authorIds}) with ordinality
            as call (document_id, editor_id, client_id, id, yjs_update, author_id, number)
          left join organizations organization on organization.organization_key = ${organization}
          left join documents document
            on document.organization_key = ${organization} and document.document_id = call.document_id
          left join locked on locked.document_id = call.document_id and locked.editor_id = call.editor_id
            and locked.client_id = call.client_id
        ), written as (
          insert into crdt_updates (organization_key, document_id, editor_id, id, client_id, yjs_update, author_id)
          select organization_key, document_id, editor_id, id, client_id, yjs_update, author_id
          from call where block is null and is_found
          order by document_id, editor_id, id
        ), unreported as (
          ${markUnreported(sql`from call as changed where block is null and is_found and is_listened_to`)}
        )
        select block, is_found and block is null as "isAppended" from call order by number`,
    );
  },
});

/** Position of an open document: the version and the updates that it contains. */
export type KnownDocument = Pick<StoredDocument, "version" | "clientId"> & { updateIds: readonly string[] };

interface Changes extends Omit<LoggedUpdates, "authorIds"> {
  version: number;
  /** The state, if its version is another one. */
  state: Uint8Array | null;
  /** IDs of all updates of the log. */
  loggedIds: string[];
}

/** Reads what an open document does not know yet. Returns undefined if it was deleted. */
export async function selectChanges(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { version, clientId, updateIds }: KnownDocument,
): Promise<Changes | undefined> {
  const isLogged = sql`from crdt_updates where ${matchesRef(scope, document)} and client_id = ${bigint(clientId)}`;
  const [row] = await scope.run(
    sql<Changes>`select version, case when version <> ${bigint(version)} then state end as state,
        array(select id::text ${isLogged}) as "loggedIds",
        ${buildLoggedUpdates(scope, document, sql`and id <> all(${uuids(updateIds)})`)}
      from crdt_documents where ${matchesRef(scope, document)} and client_id = ${bigint(clientId)}
        and ${isKept(sql`${uuid(scope.key)}`)}`,
  );
  return row;
}

interface StoredPosition extends Pick<StoredDocument, "version" | "clientId"> {
  /** Index of the document among those that were given. */
  index: number;
  /** Number of updates in the log. */
  logged: number;
}

/** Returns the positions of stored documents of several organizations, except those that were deleted. */
export function selectPositions(
  scope: CrossTenantScope,
  documents: readonly QualifiedDocumentRef[],
): Promise<StoredPosition[]> {
  const keys = uuids(documents.map(({ organizationKey }) => organizationKey));
  const documentIds = texts(documents.map(({ documentId }) => documentId));
  const editorIds = texts(documents.map(({ editorId }) => editorId));
  return scope.run(
    sql<StoredPosition>`select (open.number - 1)::int as index, stored.version, stored.client_id as "clientId",
        count(crdt_updates.id) as logged
      from unnest(${keys}, ${documentIds}, ${editorIds}) with ordinality
        as open (organization_key, document_id, editor_id, number)
      join (
        select organization_key, document_id, editor_id, version, client_id from crdt_documents
        where organization_key = any(${keys}) and ${isKept(sql`crdt_documents.organization_key`)}
      ) as stored on stored.organization_key = open.organization_key and stored.document_id = open.document_id
        and stored.editor_id = open.editor_id
      left join crdt_updates on crdt_updates.organization_key = stored.organization_key
        and crdt_updates.document_id = stored.document_id and crdt_updates.editor_id = stored.editor_id
        and crdt_updates.client_id = stored.client_id
      group by open.number, stored.version, stored.client_id`,
  );
}

/** Channel on which processes notify each other of changes of collaborative documents. */
export const CRDT_CHANNEL = "colloquy_crdt";

/** Sends payloads of at most 7,999 bytes each to all processes, in their order and without others in between. */
export async function sendToProcesses(database: Queryable, payloads: readonly string[]): Promise<void> {
  await database.run(sql`
    select pg_notify(${text(CRDT_CHANNEL)}, payload)
    from unnest(${texts(payloads)}) with ordinality as sent (payload, position)
    order by position`);
}
