import { byteaArray, plainArray, textArray } from "../../database/array-parameter.ts";
import type { BatchedStatement } from "../../database/batch.ts";
import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { awaitsDocumentPurge } from "../erasure/queries.ts";
import {
  ACCESS_BLOCK,
  type AccessBlock,
  type DocumentRef,
  documentParameters,
  ensureDocuments,
} from "../tenancy/queries.ts";
import type { EditorType } from "./editor.ts";

export interface EditorPlace {
  organizationKey: string;
  documentId: string;
  editorId: string;
}

interface AddCall extends DocumentRef, EditorPlace {
  documentId: string;
  type: EditorType;
  contentKey: string;
  clientId: number;
  state: Uint8Array;
  /** The JSON text that will be sent, but for the time of the update. */
  record: string;
}

/** Of an editor, behind its place. */
const FURTHER_COLUMNS = {
  editor_id: "text",
  type: "text",
  content_key: "text",
  client_id: "bigint",
  state: "bytea",
  record: "text",
};

/**
 * Writes the editors of many calls with one statement; a call with an access block writes nothing, and
 * an editor that exists, and was not deleted with its document, is left as it is. Organizations and documents come to
 * exist with their first editor. Rows are written in the order of their keys, so that two statements never wait for
 * each other in a circle.
 */
export const addEditor: BatchedStatement<AddCall, { block: AccessBlock | null; isNew: boolean }> = {
  byteSize: ({ state, record }) => 2 * state.length + record.length,
  *conflictKeys({ organizationKey, documentId, editorId }) {
    yield JSON.stringify([organizationKey, documentId, editorId]);
  },
  async run(database, calls) {
    const { rows } = await database.query<{ block: AccessBlock | null; isNew: boolean }>(
      `with ${ensureDocuments(FURTHER_COLUMNS)}, written as (
         insert into crdt_editors (organization_key, document_id, editor_id, type, content_key, client_id, state,
           record, record_bytes)
         select organization_key, document_id, editor_id, type, content_key, client_id, state,
           ${withTime("record")}::json, octet_length(record) + ${TIME_BYTES}
         from call where block is null
         order by organization_key, document_id, editor_id
         on conflict (organization_key, document_id, editor_id) do update set
           type = excluded.type, content_key = excluded.content_key, version = crdt_editors.version + 1,
           client_id = excluded.client_id, state = excluded.state, record = excluded.record,
           record_bytes = excluded.record_bytes, created_at = excluded.created_at, updated_at = excluded.updated_at
         where ${awaitsDocumentPurge("crdt_editors")}
         returning organization_key, document_id, editor_id
       )
       select block, written.editor_id is not null as "isNew"
       from call left join written using (organization_key, document_id, editor_id)
       order by number`,
      [
        ...documentParameters(calls),
        textArray(calls.map(({ editorId }) => editorId)),
        textArray(calls.map(({ type }) => type)),
        textArray(calls.map(({ contentKey }) => contentKey)),
        plainArray(calls.map(({ clientId }) => clientId)),
        byteaArray(calls.map(({ state }) => state)),
        textArray(calls.map(({ record }) => record)),
      ],
    );
    return rows;
  },
};

/** Of `"lastUpdate":"2026-11-21T04:05:06.789Z",` in front of a record's other fields. */
const TIME_BYTES = 41;

/** Puts the time of the statement in front of the fields of a record's text. */
function withTime(record: string): string {
  const time = `to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return `('{"lastUpdate":"' || ${time} || '",' || substr(${record}, 2))`;
}

/** The Yjs document as Base64 in one line, at the end of a record's text. */
const RECORD_WITH_STATE = `left(record::text, -1) || ',"state":"' || translate(encode(state, 'base64'), E'\\n', '') ||
  '"}'`;

/** One page of the editors of a document, by id; `next` is the id of the last one when there is more. */
export function selectPage(
  database: Queryable,
  { organizationKey, documentId }: Omit<EditorPlace, "editorId">,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  return selectPageOfRecords(database, {
    source: "from crdt_editors where organization_key = $1 and document_id = $2",
    keys: ["editor_id"],
    order: "asc",
    values: [organizationKey, documentId],
    extra: ACCESS_BLOCK,
    ...page,
  });
}

/** The same with the states. First the ids of the page, so that no state is read that does not fit into it. */
export async function selectPageWithStates(
  database: Queryable,
  { organizationKey, documentId }: Omit<EditorPlace, "editorId">,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const ids = await selectPageOfRecords<AccessBlock, string>(database, {
    source: `from (
      select editor_id, to_json(editor_id) as record, record_bytes + octet_length(state) * 4 / 3 as record_bytes
      from crdt_editors where organization_key = $1 and document_id = $2
    ) as editor where true`,
    keys: ["editor_id"],
    order: "asc",
    values: [organizationKey, documentId],
    extra: ACCESS_BLOCK,
    ...page,
  });
  const { rows } = await database.query<{ records: string | null }>(
    `select string_agg(${RECORD_WITH_STATE}, ',' order by editor_id) as records from crdt_editors
     where organization_key = $1 and document_id = $2 and editor_id = any($3)`,
    [organizationKey, documentId, JSON.parse(ids.records)],
  );
  return { ...ids, records: `[${rows[0]?.records ?? ""}]` };
}

/** The page of one editor, empty where it does not exist; without the state, concurrent calls share a statement. */
export async function selectEditor(
  database: Queryable,
  { organizationKey, documentId, editorId }: EditorPlace,
  includeState: boolean,
): Promise<PageOfRecords<AccessBlock, string>> {
  const statement = `select ${ACCESS_BLOCK} as block, (
       select ${includeState ? RECORD_WITH_STATE : "record::text"} from crdt_editors
       where organization_key = $1 and document_id = $2 and editor_id = $3
     ) as record`;
  const values = [organizationKey, documentId, editorId];
  const row = includeState
    ? (await database.query<EditorRow>(statement, values)).rows[0]
    : await database.selectOne<EditorRow>(statement, values);
  return { extra: row?.block ?? null, records: `[${row?.record ?? ""}]`, next: undefined };
}

interface EditorRow {
  block: AccessBlock | null;
  record: string | null;
}

export interface StoredDocument {
  type: EditorType;
  contentKey: string;
  /** Together they tell whether the document is still the same. */
  version: number;
  clientId: number;
  state: Uint8Array;
}

/** Not deleted with its document and waiting for the job. */
const IS_KEPT = `not ${awaitsDocumentPurge("crdt_editors")}`;

/** Without a lock; `stored` is absent where there is none. */
export async function selectDocument(
  database: Queryable,
  { organizationKey, documentId, editorId }: EditorPlace,
): Promise<{ block: AccessBlock | null; stored: StoredDocument | undefined }> {
  const { rows } = await database.query<{ block: AccessBlock | null } & (StoredDocument | { state: null })>(
    `select ${ACCESS_BLOCK} as block, type, content_key as "contentKey", version, client_id as "clientId", state
     from (select) as always
     left join crdt_editors on organization_key = $1 and document_id = $2 and editor_id = $3 and ${IS_KEPT}`,
    [organizationKey, documentId, editorId],
  );
  const row = rows[0];
  return { block: row?.block ?? null, stored: row && row.state !== null ? row : undefined };
}

/** Writes nothing and returns false if the document has another version, is deleted, or has an access block. */
export async function replaceDocument(
  database: Queryable,
  { organizationKey, documentId, editorId }: EditorPlace,
  { version, clientId, state, record }: Omit<StoredDocument, "type" | "contentKey"> & { record: string },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update crdt_editors set version = version + 1, state = $5, record = ${withTime("$6::text")}::json,
       record_bytes = octet_length($6::text) + ${TIME_BYTES},
       updated_at = ${NOW_MS}
     where organization_key = $1 and document_id = $2 and editor_id = $3 and version = $4 and client_id = $7
       and ${IS_KEPT} and ${ACCESS_BLOCK} is null`,
    [organizationKey, documentId, editorId, version, state, record, clientId],
  );
  return rowCount === 1;
}
