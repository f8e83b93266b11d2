import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { deleteRecords } from "../../database/records.ts";
import type { SelectValue } from "../../database/shared-select.ts";
import { awaitsDocumentPurge } from "../erasure/queries.ts";
import { awaitsUserPurge, userPages } from "../erasure/users/queries.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../tenancy/queries.ts";

interface RecordingRow {
  id: string;
  userId: string | null;
  /** The JSON text that will be sent; its first field is `latestVersion`. */
  record: string;
}

/**
 * An existing id keeps its place, and gets the next version unless nothing differs. Rows are written in the order of
 * their ids, so that two statements never wait for each other in a circle; pages have them in the order given.
 */
export async function writeRecordings(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  rows: RecordingRow[],
): Promise<void> {
  const isNew = `(${awaitsDocumentPurge("recordings")} or ${awaitsUserPurge("recordings")})`;
  const kept = (column: string) => `case when ${isNew} then excluded.${column} else recordings.${column} end`;
  const version = `(case when ${isNew} then 1 else recordings.latest_version + 1 end)`;
  const overwritten = withVersion("excluded.record::text", version);
  await transaction.query(
    `insert into recordings (organization_key, document_id, id, user_id, created_at, sequence, latest_version, record,
       record_bytes)
     select $1, $2, id, user_id, ${NOW_MS}, sequence, 1,
       record::json, octet_length(record)
     from (
       select recording.*, nextval('recording_sequence') as sequence
       from unnest($3::text[], $4::text[], $5::text[]) with ordinality as recording (id, user_id, record, place)
       order by place
     ) as in_order
     order by id
     on conflict (organization_key, id) do update set
       document_id = excluded.document_id, user_id = excluded.user_id,
       created_at = ${kept("created_at")}, sequence = ${kept("sequence")}, latest_version = ${version},
       record = ${overwritten}::json, record_bytes = octet_length(${overwritten})
     where ${isNew} or recordings.record::text <> ${withVersion("excluded.record::text", "recordings.latest_version")}`,
    [
      organizationKey,
      documentId,
      rows.map(({ id }) => id),
      rows.map(({ userId }) => userId),
      rows.map(({ record }) => record),
    ],
  );
}

/** A record's text with another version; it is a number, so the first `,` stands behind it. */
function withVersion(record: string, version: string): string {
  return `('{"latestVersion":' || ${version} || substr(${record}, position(',' in ${record})))`;
}

interface Filters {
  documentId?: string | undefined;
  ids?: string[] | undefined;
}

/** One page of what matches, newest first; `next` is the place of its last recording when there is more. */
export async function selectPage(
  database: Queryable,
  organizationKey: string,
  filters: Filters,
  page: { pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  const { condition, values } = conditionOf(organizationKey, filters);
  return selectPageOfRecords(database, {
    source: `from recordings where ${condition}`,
    keys: ["created_at", "sequence"],
    order: "desc",
    values,
    extra: ACCESS_BLOCK,
    ...page,
  });
}

function conditionOf(
  organizationKey: string,
  { documentId, ids }: Filters,
): { condition: string; values: SelectValue[] } {
  const values: SelectValue[] = [organizationKey];
  const conditions = ["organization_key = $1"];
  if (documentId !== undefined) conditions.push(`document_id = $${values.push(documentId)}`);
  if (ids !== undefined) conditions.push(`id = any($${values.push(ids)})`);
  return { condition: conditions.join(" and "), values };
}

/** Each gets its next version, which is put into its text. */
export async function replaceRecords(
  transaction: Queryable,
  organizationKey: string,
  records: { id: string; record: string }[],
): Promise<void> {
  const next = withVersion("merged.record", "recordings.latest_version + 1");
  await transaction.query(
    `update recordings set latest_version = recordings.latest_version + 1, record = ${next}::json,
       record_bytes = octet_length(${next})
     from unnest($2::text[], $3::text[]) as merged (id, record)
     where recordings.organization_key = $1 and recordings.id = merged.id`,
    [organizationKey, records.map(({ id }) => id), records.map(({ record }) => record)],
  );
}

/** Deletes all that match; returns the ids of the first 50,000. */
export function deleteRows(transaction: Queryable, organizationKey: string, filters: Filters): Promise<Set<string>> {
  return deleteRecords(transaction, { table: "recordings", ...conditionOf(organizationKey, filters) });
}

/** What the user has made, oldest first. */
export const selectUserPage = userPages({
  source: `from recordings where organization_key = $1 and user_id = $2`,
  keys: ["created_at", "sequence"],
});
