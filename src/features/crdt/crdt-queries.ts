import { formatCount } from "../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../config/limits.ts";
import { limitError } from "../../contract/limit-error.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import {
  bigint,
  bytea,
  EMPTY,
  identifier,
  integer,
  json,
  type Sql,
  sql,
  text,
  texts,
  uuid,
  uuids,
} from "../../database/sql.ts";
import { hasListeners, type ListenedWorkspace } from "../event-log/record-events.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { awaitsDocumentPurge, prepareOverwriting } from "../purge/overwriting-queries.ts";
import type { InTransaction, OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";
import type { RenewedAnchor } from "./anchors/renew-anchors.ts";
import { writeAnchors } from "./anchors/write-anchors.ts";
import type { CollaborativeDocumentRef } from "./collaborative-document-ref.ts";
import { markUnreported } from "./reports/crdt-report-queries.ts";
import type { SharedType } from "./shared-type.ts";
import { insertAuthor } from "./stored/author-queries.ts";
import { isOfDocument, matchesRef } from "./stored/crdt-update-queries.ts";

interface NewCollaborativeDocument extends CollaborativeDocumentRef {
  type: SharedType;
  contentKey: string;
  clientId: number;
  state: Uint8Array;
  /** JSON text of a response, except the time of the update. */
  record: string;
  /** Anchors in an earlier document of the same ID. */
  renewedAnchors: readonly RenewedAnchor[];
  /** The author; absent for the backend. */
  author: { id: string; userId: string } | undefined;
  attributions: Uint8Array | null;
  /** JSON text of the schema of the editors. */
  schema: string | null;
}

const CREATED = { writtenAt: "created_at" };
const OWNED = { key: ["document_id", "editor_id"], purgedWith: ["document"] } as const;
const OVERWRITTEN = [
  { ...OWNED, name: "crdt_edits", time: { writtenAt: "changed_at" } },
  { ...OWNED, name: "crdt_documents", time: CREATED },
  { ...OWNED, name: "crdt_authors", time: { writtenAt: "written_at" } },
  { ...OWNED, name: "crdt_unreported_changes", time: { writtenAt: "since" } },
];

/**
 * Inserts a collaborative document. Returns whether it is new: an existing one stays unchanged, unless it was deleted
 * with its document. Creates the organization and document if missing. Throws the error of their access block, and
 * FAILED_PRECONDITION if the document has the maximum number of others.
 */
export async function insertCollaborativeDocument(
  scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
  document: NewCollaborativeDocument,
): Promise<boolean> {
  const { documentId, editorId, type, contentKey, clientId, state, record, author, attributions, schema } = document;
  await ensureDocument(scope, documentId);
  for (const table of OVERWRITTEN) await prepareOverwriting(scope, table, [[documentId, editorId]]);
  const written = await scope.run(
    sql`insert into crdt_documents (organization_key, document_id, editor_id, type, content_key, client_id, state,
        attributions, updated_by, recent_authors, editor_schema, record, record_bytes)
      values (${uuid(scope.key)}, ${text(documentId)}, ${text(editorId)}, ${text(type)}, ${text(contentKey)},
        ${bigint(clientId)}, ${bytea(state)}, ${bytea(attributions)}, ${uuid(author?.id ?? null)},
        ${uuids(author ? [author.id] : [])}, ${json(schema)}, ${json(record)}, ${integer(Buffer.byteLength(record))})
      on conflict do nothing
      returning editor_id`,
  );
  const isNew = written.length > 0;
  if (isNew) {
    await rejectTooMany(scope, documentId);
    await writeAnchors(scope, documentId, document.renewedAnchors);
  }
  if (isNew && author) await insertAuthor(scope, document, author);
  if (isNew && hasListeners(scope.workspace)) await markAdded(scope, document);
  return isNew;
}

/** Throws if the document has too many collaborative documents. Concurrent calls may each miss those of the others. */
async function rejectTooMany(scope: OrganizationScope, documentId: string): Promise<void> {
  const max = RECORD_LIMITS.editors;
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*)::int as count from (
        select from crdt_documents
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
          and not ${awaitsDocumentPurge(uuid(scope.key), "crdt_documents", CREATED)}
        limit ${integer(max + 1)}
      ) as stored`,
  );
  if ((row?.count ?? 0) <= max) return;
  throw limitError(
    "editors",
    `The document has ${formatCount(max)} collaborative documents, the maximum. Delete some of them.`,
  );
}

async function markAdded(scope: OrganizationScope, { documentId, editorId }: NewCollaborativeDocument): Promise<void> {
  await scope.run(
    markUnreported(sql`from crdt_documents as changed where changed.organization_key = ${uuid(scope.key)}
      and changed.document_id = ${text(documentId)} and changed.editor_id = ${text(editorId)}`),
  );
}

/**
 * Returns the JSON text of a serialized collaborative document of a row: the time and user of its update, then the
 * record.
 */
function serialize(scope: StoredOrganization, documentId: string, row: "crdt_documents" | "page"): Sql {
  return sql`'{"lastUpdate":"'
    || to_char(to_timestamp(updated_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","lastUpdatedBy":' || coalesce((select to_json(user_id)::text from crdt_authors
      where ${isOfDocument(scope, documentId)} and crdt_authors.editor_id = ${identifier(row)}.editor_id
        and crdt_authors.id = updated_by), 'null')
    || ',"sessionId":null,' || coalesce('"schema":' || editor_schema::text || ',', '') || right(record::text, -1)`;
}

/** Returns the JSON text with the Yjs document at its end, as Base64 in one line. */
function serializeWithState(scope: StoredOrganization, documentId: string): Sql {
  return sql`left(${serialize(scope, documentId, "crdt_documents")}, -1) || ',"state":"'
    || translate(encode(state, 'base64'), E'\\n', '') || '"}'`;
}

/** Returns one page of the collaborative documents of a document, by ID. */
export function selectCollaborativeDocumentPage(
  scope: StoredOrganization,
  documentId: string,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  return selectPageOfRecords(scope, {
    source: sql`from crdt_documents where ${isOfDocument(scope, documentId)}`,
    keys: ["editor_id"],
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(scope.key, documentId),
    serialized: {
      expression: serialize(scope, documentId, "page"),
      columns: ["updated_at", "updated_by", "editor_schema"],
    },
    ...page,
  });
}

/** Returns the page with the states. Reads the IDs first, so that no state is read that does not fit. */
export async function selectCollaborativeDocumentPageWithStates(
  scope: StoredOrganization,
  documentId: string,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const ids = await selectPageOfRecords<AccessBlock, string>(scope, {
    source: sql`from (
      select editor_id, to_json(editor_id) as record, record_bytes + octet_length(state) * 4 / 3 as record_bytes
      from crdt_documents where ${isOfDocument(scope, documentId)}
    ) as sized where true`,
    keys: ["editor_id"],
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(scope.key, documentId),
    ...page,
  });
  const editorIds: string[] = JSON.parse(ids.records);
  const [row] = await scope.run(
    sql<{ records: string | null }>`select
        string_agg(${serializeWithState(scope, documentId)}, ',' order by editor_id) as records
      from crdt_documents where ${isOfDocument(scope, documentId)} and editor_id = any(${texts(editorIds)})`,
  );
  return { ...ids, records: `[${row?.records ?? ""}]` };
}

/** Returns a page with one collaborative document, empty if it does not exist. */
export async function selectCollaborativeDocument(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  includeState: boolean,
): Promise<PageOfRecords<AccessBlock, string>> {
  const { documentId } = document;
  const text = includeState ? serializeWithState(scope, documentId) : serialize(scope, documentId, "crdt_documents");
  const select = sql<{ block: AccessBlock | null; record: string | null }>`select
    ${buildAccessBlock(scope.key, documentId)} as block,
    (select ${text} from crdt_documents
      where ${matchesRef(scope, document)}) as record`;
  const [row] = await scope.run(select);
  return { extra: row?.block ?? null, records: `[${row?.record ?? ""}]`, next: undefined, length: row?.record ? 1 : 0 };
}

/**
 * Deletes the collaborative documents with these IDs, or all of the document. Returns the IDs of those that existed.
 * Locks rows in key order to avoid deadlocks.
 */
export async function deleteCollaborativeDocuments(
  scope: InTransaction<StoredOrganization>,
  documentId: string,
  editorIds: string[] | undefined,
): Promise<string[]> {
  const isRequested = editorIds ? sql`and editor_id = any(${texts(editorIds)})` : EMPTY;
  const isDeleted = sql`${isOfDocument(scope, documentId)} ${isRequested}`;
  await scope.run(sql`select from crdt_edits where ${isDeleted} order by editor_id for update`);
  await scope.run(sql`delete from crdt_edits where ${isDeleted}`);
  const locked = await scope.run(
    sql<{ id: string }>`select editor_id as id from crdt_documents
      where ${isDeleted} order by editor_id for update`,
  );
  const ids = locked.map(({ id }) => id);
  await scope.run(
    sql`delete from crdt_versions where ${isOfDocument(scope, documentId)} and editor_id = any(${texts(ids)})`,
  );
  await scope.run(
    sql`delete from crdt_authors where ${isOfDocument(scope, documentId)} and editor_id = any(${texts(ids)})`,
  );
  await scope.run(
    sql`delete from crdt_updates where ${isOfDocument(scope, documentId)} and editor_id = any(${texts(ids)})`,
  );
  await scope.run(
    sql`delete from crdt_documents where ${isOfDocument(scope, documentId)} and editor_id = any(${texts(ids)})`,
  );
  return ids;
}
