import { formatCount } from "../../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { limitError } from "../../../contract/limit-error.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import {
  bigint,
  bigints,
  EMPTY,
  identifier,
  identifiers,
  integer,
  join,
  type Sql,
  sql,
  text,
  texts,
  uuid,
} from "../../../database/sql.ts";
import { beforeCommit } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import { awaitsDocumentPurge, purgeAwaiting } from "../../purge/overwriting-queries.ts";
import type { WritingTime } from "../../purge/owned-tables.ts";
import {
  type InTransaction,
  type OrganizationScope,
  type StoredOrganization,
  storedOrganization,
} from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../../tenancy/tenancy-queries.ts";
import { type Filters, matchesFilters } from "./annotation-filter-queries.ts";

// To avoid deadlocks, every writer locks an annotation's row before anything that belongs to it, and several in the
// order (created_at, sequence), which never changes. Rows that belong to an annotation need no locks.

/** Columns that repeat fields of the record, and the record, in the order in which `columnLists` returns them. */
const COLUMNS = [
  ...(["location_id", "anchor_editor_id", "anchor", "status_id", "user_id", "resolved_by"] as const),
  ...(["suggestion_status", "agent_id", "agent_type", "agent_source", "execution_id", "agent_url"] as const),
  ...(["access_fields", "viewers", "record"] as const),
];
const COLUMN_NAMES = identifiers(COLUMNS);

/** The record is the JSON text of an annotation without times, number and comments. */
type AnnotationColumns = { [Column in (typeof COLUMNS)[number]]: string | null } & { record: string };

/** Returns the value of a column in a row of texts, given by its alias. */
function valueIn(row: Sql, column: (typeof COLUMNS)[number]): Sql {
  const [json, jsonb] = [sql`::json`, sql`::jsonb`];
  const types: { [name: string]: Sql } = { anchor: json, access_fields: jsonb, viewers: jsonb, record: json };
  return sql`${row}.${identifier(column)}${types[column] ?? EMPTY}`;
}

/** Returns a list of each column for `unnest`. */
function columnLists(rows: AnnotationColumns[]): Sql {
  return join(
    COLUMNS.map((column) => texts(rows.map((row) => row[column]))),
    ", ",
  );
}

interface NewAnnotationRow extends AnnotationColumns {
  id: string;
  /** Times in milliseconds since the epoch; null for now. */
  createdAt: number | null;
  updatedAt: number | null;
}

export interface AnnotationPosition {
  id: string;
  sequence: number;
  /** Time of the statement, in milliseconds since the epoch. */
  nowMs: number;
}

const WRITTEN: WritingTime = { writtenAt: "written_at" };
const OVERWRITTEN = {
  name: "comment_annotations",
  key: ["id"],
  time: WRITTEN,
  purgedWith: ["document"],
} as const;

/** Inserts annotations. Returns those that did not exist; one that was deleted with its document is replaced. */
export async function insertAnnotations(
  scope: OrganizationScope,
  documentId: string,
  rows: NewAnnotationRow[],
): Promise<Map<string, AnnotationPosition>> {
  const inserted = await insertMissing(scope, documentId, rows);
  const existing = rows.filter(({ id }) => !inserted.has(id));
  if (existing.length === 0) return inserted;
  await purgeAwaiting(
    scope,
    OVERWRITTEN,
    existing.map(({ id }) => [id]),
  );
  return new Map([...inserted, ...(await insertMissing(scope, documentId, existing))]);
}

/** Inserts in key order to avoid deadlocks; sequences are in the order given, which pages keep. */
async function insertMissing(
  scope: OrganizationScope,
  documentId: string,
  given: NewAnnotationRow[],
): Promise<Map<string, AnnotationPosition>> {
  const existing = await selectExisting(scope, given);
  const rows = given.filter(({ id }) => !existing.has(id));
  if (rows.length === 0) return new Map();
  // The key is a value: fromOrganization() gains nothing for an insert that takes numbers from a sequence.
  const inserted = await scope.run(
    sql<AnnotationPosition>`insert into comment_annotations (organization_key, document_id, id, sequence,
        created_at, updated_at, written_at, ${COLUMN_NAMES}, record_bytes)
      select ${uuid(scope.key)}, ${text(documentId)}, id, sequence, least(created_at, ${NOW_MS}),
        least(updated_at, ${NOW_MS}), ${NOW_MS}, ${join(
          COLUMNS.map((column) => valueIn(sql`in_order`, column)),
          ", ",
        )}, octet_length(record)
      from (
        select annotation.*, nextval('comment_sequence') as sequence
        from unnest(
          ${texts(rows.map(({ id }) => id))},
          ${bigints(rows.map(({ createdAt }) => createdAt))},
          ${bigints(rows.map(({ updatedAt }) => updatedAt))},
          ${columnLists(rows)}
        ) with ordinality as annotation (id, created_at, updated_at, ${COLUMN_NAMES}, place)
        order by place
      ) as in_order
      order by id collate "C"
      on conflict do nothing
      returning id, sequence, written_at as "nowMs"`,
  );
  const sequences = inserted.map(({ sequence }) => sequence).sort((one, other) => one - other);
  if (sequences.length > 0) await scope.run(numberAnnotations([{ organizationKey: scope.key, documentId, sequences }]));
  return new Map(inserted.map((row) => [row.id, row]));
}

async function selectExisting(scope: OrganizationScope, annotations: { id: string }[]): Promise<Set<string>> {
  const rows = await scope.run(
    sql<{ id: string }>`select id from comment_annotations
      where organization_key = ${uuid(scope.key)} and id = any(${texts(annotations.map(({ id }) => id))})`,
  );
  return new Set(rows.map(({ id }) => id));
}

interface UnnumberedAnnotations {
  organizationKey: OrganizationKey;
  documentId: string;
  /** In the order of their numbers. */
  sequences: number[];
}

/**
 * Gives annotations the next numbers of their document, right before the commit of the transaction that inserts them.
 * The counter stays locked until the commit, and concurrent calls on the document wait for it.
 */
const numberAnnotations = beforeCommit<UnnumberedAnnotations>({
  async run(transaction, annotations) {
    const documents = Map.groupBy(annotations, ({ organizationKey, documentId }) => `${organizationKey} ${documentId}`);
    for (const [, [first, ...others]] of [...documents].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (!first) continue;
      const sequences = [first, ...others].flatMap((annotation) => annotation.sequences);
      await takeNumbers(storedOrganization(transaction, first.organizationKey), first.documentId, sequences);
    }
  },
});

async function takeNumbers(scope: StoredOrganization, documentId: string, sequences: number[]): Promise<void> {
  const [numbered] = await scope.run(
    sql<{ lastNumber: number }>`with counter as (
        insert into annotation_counters (organization_key, document_id, last_number, written_at)
        values (${uuid(scope.key)}, ${text(documentId)}, ${integer(sequences.length)}, ${NOW_MS})
        on conflict (organization_key, document_id) do update set
          last_number = annotation_counters.last_number + excluded.last_number, written_at = excluded.written_at
        returning last_number
      )
      update comment_annotations set annotation_number = counter.last_number - ${integer(sequences.length)} + place
      from counter, unnest(${bigints(sequences)}) with ordinality as numbered (sequence, place)
      where comment_annotations.organization_key = ${uuid(scope.key)}
        and comment_annotations.sequence = numbered.sequence
      returning counter.last_number as "lastNumber"`,
  );
  // A document that never had more need not be counted.
  if ((numbered?.lastNumber ?? 0) > RECORD_LIMITS.annotations) await rejectTooMany(scope, documentId);
}

/** Throws if the document has too many annotations. Its counter is locked, so that concurrent calls wait. */
async function rejectTooMany(scope: StoredOrganization, documentId: string): Promise<void> {
  const max = RECORD_LIMITS.annotations;
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*)::int as count from (
        select from comment_annotations as annotation
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
          and not ${awaitsDocumentPurge(uuid(scope.key), "annotation", WRITTEN)}
        limit ${integer(max + 1)}
      ) as stored`,
  );
  if ((row?.count ?? 0) <= max) return;
  throw limitError(
    "annotations",
    `The document has ${formatCount(max)} annotations, the maximum. Delete some of them.`,
  );
}

export interface LockedAnnotation extends AnnotationPosition {
  createdAt: number;
  lastCommentId: number;
  block: AccessBlock | null;
  /** The JSON text without times and comments. */
  record: string;
}

/** Locks the next matching annotations, oldest first, without those of a deleted document. */
export function lockAnnotations(
  scope: InTransaction<AccessOrganization>,
  filters: Filters,
  { after, limit }: { after: LockedAnnotation | undefined; limit: number },
): Promise<LockedAnnotation[]> {
  const afterCursor = after
    ? sql`and (created_at, sequence) > (${bigint(after.createdAt)}, ${bigint(after.sequence)})`
    : EMPTY;
  return scope.run(
    sql<LockedAnnotation>`select annotation.id, annotation.sequence, annotation.created_at as "createdAt",
        last_comment_id as "lastCommentId", annotation.record::text as record, ${NOW_MS} as "nowMs",
        ${buildAccessBlock(scope.key, filters.documentId)} as block
      from comment_annotations annotation
      where ${matchesFilters(scope, filters)} ${afterCursor}
        and not ${awaitsDocumentPurge(uuid(scope.key), "annotation", WRITTEN)}
      order by created_at, sequence limit ${integer(limit)} for update`,
  );
}

/** Returns the user ids of the participants of locked annotations, by the annotation's sequence. */
export async function selectParticipants(
  scope: OrganizationScope,
  sequences: number[],
): Promise<Map<number, string[]>> {
  const rows = await scope.run(
    sql<{ sequence: number; userIds: string[] }>`select annotation_sequence as sequence,
        array_agg(user_id) as "userIds"
      from comment_users
      where organization_key = ${uuid(scope.key)} and annotation_sequence = any(${bigints(sequences)})
        and role = 'participant' group by annotation_sequence`,
  );
  return new Map(rows.map(({ sequence, userIds }) => [sequence, userIds]));
}

const SET_MERGED = join(
  COLUMNS.map((column) => sql`${identifier(column)} = ${valueIn(sql`merged`, column)}`),
  ", ",
);

/** Replaces the records of locked annotations. Returns the size of the largest in bytes. */
export async function replaceAnnotations(
  scope: StoredOrganization,
  rows: (AnnotationColumns & { id: string })[],
): Promise<number> {
  const replaced = await scope.run(
    sql<{ bytes: number }>`update comment_annotations annotation set updated_at = ${NOW_MS}, ${SET_MERGED},
        record_bytes = record_bytes - octet_length(annotation.record::text) + octet_length(merged.record)
      from unnest(${texts(rows.map(({ id }) => id))}, ${columnLists(rows)}) as merged (id, ${COLUMN_NAMES})
      where annotation.organization_key = ${uuid(scope.key)} and annotation.id = merged.id
      returning annotation.record_bytes as bytes`,
  );
  return Math.max(0, ...replaced.map(({ bytes }) => bytes));
}

/** Marks locked annotations as read by the users, up to the newest comment. */
export async function markAnnotationRead(
  scope: OrganizationScope,
  sequences: number[],
  userIds: string[],
): Promise<void> {
  await scope.run(
    sql`insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, read_at, document_id,
        written_at)
      select organization_key, sequence, reader.user_id, latest_comment, ${NOW_MS}, document_id, written_at
      from comment_annotations, (select distinct unnest(${texts(userIds)}) as user_id) as reader
      where organization_key = ${uuid(scope.key)} and sequence = any(${bigints(sequences)})
      order by sequence, reader.user_id
      on conflict (organization_key, annotation_sequence, user_id) do update
        set latest_comment = excluded.latest_comment, read_at = excluded.read_at
        where comment_reads.latest_comment <= excluded.latest_comment`,
  );
}
