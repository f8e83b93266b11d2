import type { OrganizationKey } from "../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, integer, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import { prepareOverwriting } from "../purge/overwriting-queries.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { deleteRecords, MAX_IDS_RETURNED, type RecordInDocument } from "../tenancy/record-queries.ts";
import { type AccessBlock, buildAccessBlock, isInEnabledDocument } from "../tenancy/tenancy-queries.ts";

interface RecordingRow {
  id: string;
  userId: string | null;
  /** The JSON text of the record as sent, with its id, type and metadata. */
  record: string;
}

/**
 * Upserts recordings. An existing id keeps its place, and gets the next version unless its record is unchanged. Writes
 * rows in key order to avoid deadlocks; pages show them in the given order. With `isUser`, leaves recordings of others
 * and of other documents as they are.
 */
export async function writeRecordings(
  scope: OrganizationScope,
  documentId: string,
  rows: RecordingRow[],
  { isUser }: { isUser: boolean },
): Promise<void> {
  await prepareOverwriting(
    scope,
    { name: "recordings", key: ["id"], time: { writtenAt: "created_at" }, purgedWith: ["document", "user"] },
    rows.map(({ id }) => [id]),
  );
  // The key is a value: fromOrganization() gains nothing for an insert that takes numbers from a sequence.
  await scope.run(
    sql`insert into recordings (organization_key, document_id, id, user_id, created_at, sequence, latest_version,
        record, record_bytes)
      select ${uuid(scope.key)}, ${text(documentId)}, id, user_id, ${NOW_MS}, sequence, 1, record::json,
        octet_length(record)
      from (
        select recording.*, nextval('recording_sequence') as sequence
        from unnest(
          ${texts(rows.map(({ id }) => id))},
          ${texts(rows.map(({ userId }) => userId))},
          ${texts(rows.map(({ record }) => record))}
        ) with ordinality as recording (id, user_id, record, place)
        order by place
      ) as in_order
      order by id collate "C"
      on conflict (organization_key, id) do update set
        document_id = excluded.document_id, user_id = excluded.user_id,
        latest_version = recordings.latest_version + 1,
        record = excluded.record, record_bytes = excluded.record_bytes
      where recordings.record::text <> excluded.record::text ${
        isUser
          ? sql`and recordings.user_id = excluded.user_id and recordings.document_id = excluded.document_id`
          : EMPTY
      }`,
  );
}

/** Returns one of the IDs whose recording is of another user or document. */
export async function selectForeignId(
  scope: OrganizationScope,
  documentId: string,
  ids: string[],
  userId: string,
): Promise<string | undefined> {
  const [row] = await scope.run(
    sql<{ id: string }>`select id from recordings
      where organization_key = ${uuid(scope.key)} and id = any(${texts(ids)})
        and (document_id <> ${text(documentId)} or user_id is distinct from ${text(userId)})
      order by id limit 1`,
  );
  return row?.id;
}

/** The JSON text of a serialized recording: the version, then the record as sent. */
const SERIALIZED = {
  expression: sql`'{"latestVersion":' || latest_version || ',' || right(record::text, -1)`,
  columns: ["latest_version"],
};

interface Filters {
  documentId?: string | undefined;
  ids?: string[] | undefined;
  /** User who made the recordings. */
  userId?: string | undefined;
}

/** Reads one page of the matching recordings, newest first. */
export function selectRecordingPage(
  scope: OrganizationScope,
  filters: Filters,
  page: { pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  return selectPageOfRecords(scope, {
    source: sql`from recordings where ${matchesFilters(scope.key, filters)}`,
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    order: "desc",
    extra: buildAccessBlock(scope.key, filters.documentId),
    serialized: SERIALIZED,
    ...page,
  });
}

function matchesFilters(organizationKey: OrganizationKey, { documentId, ids, userId }: Filters): Sql {
  return sql`organization_key = ${uuid(organizationKey)}
    and ${
      documentId === undefined
        ? isInEnabledDocument(uuid(organizationKey), sql`document_id`)
        : sql`document_id = ${text(documentId)}`
    }
    ${ids === undefined ? EMPTY : sql`and id = any(${texts(ids)})`}${
      userId === undefined ? EMPTY : sql` and user_id = ${text(userId)}`
    }`;
}

/** Replaces locked records. Each recording gets its next version. */
export async function replaceRecordingRecords(
  scope: OrganizationScope,
  records: { id: string; record: string }[],
): Promise<void> {
  await scope.run(
    sql`update recordings set latest_version = recordings.latest_version + 1, record = merged.record::json,
        record_bytes = octet_length(merged.record)
      from unnest(${texts(records.map(({ id }) => id))}, ${texts(records.map(({ record }) => record))})
        as merged (id, record)
      where recordings.organization_key = ${uuid(scope.key)} and recordings.id = merged.id`,
  );
}

/** Returns the IDs of the first 50,000 matching recordings. */
export async function selectRecordingIds(scope: OrganizationScope, filters: Filters): Promise<string[]> {
  const rows = await scope.run(
    sql<{ id: string }>`select id from recordings where ${matchesFilters(scope.key, filters)}
      order by id limit ${integer(MAX_IDS_RETURNED)}`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes the matching recordings. Returns the ids of the first 50,000. */
export function deleteMatchingRecordings(
  scope: InTransaction<OrganizationScope>,
  filters: Filters,
  onDeleted: (recordings: readonly RecordInDocument[]) => Promise<void>,
): Promise<Set<string>> {
  return deleteRecords(scope, {
    table: "recordings",
    condition: matchesFilters(scope.key, filters),
    onDeleted,
  });
}

/** Reads one page of the recordings that a user made, oldest first. */
export const selectRecordingExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from recordings where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  keys: ["created_at", "sequence"],
  keyType: "bigint",
  serialized: SERIALIZED,
});
