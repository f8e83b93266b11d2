import type { Queryable } from "../../database/database.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../tenancy/queries.ts";

/** The text of what was sent of a document; of one that nobody has described yet, a name without letters. */
const RECORD = `coalesce(record::text, '{"documentName":""}')`;

/** When something was last written to the document, each but the editors' the end of an index; those are few. */
const NEWEST_WRITES = [
  ["activities", "created_at"],
  ["comment_annotations", "updated_at"],
  ["crdt_editors", "updated_at"],
  ["notifications", "created_at"],
  ["recordings", "created_at"],
].map(
  ([table, time]) => `(select max(${time}) from ${table}
    where ${table}.organization_key = $1 and ${table}.document_id = document.document_id)`,
);

/** Overwrites those that exist. In the order of the ids, so that two calls never wait for each other in a circle. */
export async function writeDocuments(
  transaction: Queryable,
  organizationKey: string,
  documents: { id: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `insert into documents (organization_key, document_id, record, record_bytes)
     select $1, document_id, record::json, octet_length(record)
     from unnest($2::text[], $3::text[]) as given (document_id, record)
     order by document_id
     on conflict (organization_key, document_id) do update set
       record = excluded.record, record_bytes = excluded.record_bytes`,
    [organizationKey, documents.map(({ id }) => id), documents.map(({ record }) => record)],
  );
}

/** Records by id. Locks in the order of the ids. */
export async function lockRecords(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await transaction.query<{ id: string; record: string }>(
    `select document_id as id, ${RECORD} as record from documents
     where organization_key = $1 and document_id = any($2) order by document_id for update`,
    [organizationKey, documentIds],
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Needs the rows to be locked. */
export async function deleteDocumentRows(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
): Promise<void> {
  await transaction.query("delete from documents where organization_key = $1 and document_id = any($2)", [
    organizationKey,
    documentIds,
  ]);
}

/** One page by id. */
export async function selectPage(
  database: Queryable,
  organizationKey: string,
  documentIds: string[] | undefined,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  return selectPageOfRecords(database, {
    source: `from (
      select document_id, record_bytes, '{"id":' || to_json(document_id)::text
        || ',"disabled":' || (select disabled from organizations where organization_key = $1)
        || ',"lastActivity":' || greatest(floor(extract(epoch from created_at) * 1000)::bigint, ${NEWEST_WRITES.join()})
        || ',' || substr(${RECORD}, 2) as record
      from documents document where organization_key = $1 ${documentIds ? "and document_id = any($2)" : ""}
    ) as document where true`,
    keys: ["document_id"],
    order: "asc",
    values: documentIds ? [organizationKey, documentIds] : [organizationKey],
    extra: ACCESS_BLOCK,
    ...page,
  });
}
