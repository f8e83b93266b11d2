import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";
import { awaitsDocumentPurge } from "../../erasure/queries.ts";
import { ACCESS_BLOCK, type AccessBlock, accessBlockOf } from "../../tenancy/queries.ts";
import { conditionsOf, type Filters } from "./filters/queries.ts";

// Whatever changes something of an annotation locks its row first, several of an organization in the order
// (created_at, sequence), which never changes, and several organizations in the order of their keys. So two
// transactions never wait for each other in a circle, and what belongs to an annotation needs no locks of its own.

interface NewAnnotationRow {
  id: string;
  locationId: string | null;
  statusId: string;
  userId: string;
  /** Milliseconds since the epoch; null for now. */
  createdAt: number | null;
  /** The JSON text that will be sent, but for the times and the comments. */
  record: string;
}

export interface AnnotationPosition {
  organizationKey: string;
  id: string;
  sequence: number;
  /** Of the statement, in milliseconds since the epoch. */
  nowMs: number;
}

/** Returns those that did not exist. One whose document was deleted before makes way for a new one. */
export async function insertAnnotations(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  rows: NewAnnotationRow[],
): Promise<Map<string, AnnotationPosition>> {
  const inserted = await insertMissing(transaction, organizationKey, documentId, rows);
  const existing = rows.filter(({ id }) => !inserted.has(id));
  if (existing.length === 0 || !(await deletePurged(transaction, organizationKey, existing))) return inserted;
  return new Map([...inserted, ...(await insertMissing(transaction, organizationKey, documentId, existing))]);
}

/** In the order of the ids, in which two calls with the same ones wait for each other; pages have them as given. */
async function insertMissing(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  rows: NewAnnotationRow[],
): Promise<Map<string, AnnotationPosition>> {
  const { rows: inserted } = await transaction.query<AnnotationPosition>(
    `insert into comment_annotations (organization_key, document_id, id, sequence, location_id, status_id, user_id,
       created_at, updated_at, written_at, record, record_bytes)
     select $1, $2, id, sequence, location_id, status_id, user_id, least(created_at, ${NOW_MS}), ${NOW_MS}, ${NOW_MS},
       record::json, octet_length(record)
     from (
       select annotation.*, nextval('comment_sequence') as sequence
       from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
         with ordinality as annotation (id, location_id, status_id, user_id, created_at, record, place)
       order by place
     ) as in_order
     order by id
     on conflict do nothing
     returning organization_key as "organizationKey", id, sequence, written_at as "nowMs"`,
    [
      organizationKey,
      documentId,
      rows.map(({ id }) => id),
      rows.map(({ locationId }) => locationId),
      rows.map(({ statusId }) => statusId),
      rows.map(({ userId }) => userId),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ record }) => record),
    ],
  );
  return new Map(inserted.map((row) => [row.id, row]));
}

/** What belonged to them has their sequences and is left to the job. Returns whether there were any. */
async function deletePurged(
  transaction: Queryable,
  organizationKey: string,
  annotations: { id: string }[],
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `with erased as (
       select id from comment_annotations where organization_key = $1 and id = any($2)
         and ${awaitsDocumentPurge("comment_annotations", "written_at")}
       order by id for update
     )
     delete from comment_annotations using erased where organization_key = $1 and comment_annotations.id = erased.id`,
    [organizationKey, annotations.map(({ id }) => id)],
  );
  return Boolean(rowCount);
}

export interface LockedAnnotation extends AnnotationPosition {
  createdAt: number;
  lastCommentId: number;
  block: AccessBlock | null;
  /** Without the times and the comments. */
  record: string;
}

const LOCKED = `annotation.organization_key as "organizationKey", annotation.id, annotation.sequence,
  annotation.created_at as "createdAt", last_comment_id as "lastCommentId", annotation.record::text as record,
  ${NOW_MS} as "nowMs"`;

/** The next of those that match, oldest first, without those of a deleted document. */
export async function lockAnnotations(
  transaction: Queryable,
  organizationKey: string,
  filters: Filters,
  { after, limit }: { after: LockedAnnotation | undefined; limit: number },
): Promise<LockedAnnotation[]> {
  const { conditions, values } = conditionsOf(organizationKey, filters);
  const behind = after
    ? `and (created_at, sequence) > ($${values.push(after.createdAt)}, $${values.push(after.sequence)})`
    : "";
  const { rows } = await transaction.query<LockedAnnotation>(
    `select ${LOCKED}, ${ACCESS_BLOCK} as block
     from comment_annotations annotation
     where ${conditions} ${behind} and not ${awaitsDocumentPurge("annotation", "written_at")}
     order by created_at, sequence limit $${values.push(limit)} for update`,
    values,
  );
  return rows;
}

export interface AnnotationAddress {
  organizationKey: string;
  documentId: string;
  annotationId: string;
}

/** Those named, which may be of several organizations; undefined where there is none, or its document was deleted. */
export async function lockNamedAnnotations(
  transaction: Queryable,
  addresses: AnnotationAddress[],
): Promise<(LockedAnnotation | undefined)[]> {
  const { rows } = await transaction.query<LockedAnnotation & { number: number }>(
    `select number::int, ${LOCKED}, ${accessBlockOf("organization")} as block
     from unnest($1::uuid[], $2::text[], $3::text[])
       with ordinality as address (organization_key, document_id, id, number)
     join comment_annotations annotation using (organization_key, document_id, id)
     left join organizations organization using (organization_key)
     where not ${awaitsDocumentPurge("annotation", "written_at")}
     order by annotation.organization_key, annotation.created_at, annotation.sequence for update of annotation`,
    [
      addresses.map(({ organizationKey }) => organizationKey),
      addresses.map(({ documentId }) => documentId),
      addresses.map(({ annotationId }) => annotationId),
    ],
  );
  const locked = new Map(rows.map(({ number, ...annotation }) => [number - 1, annotation]));
  return addresses.map((_, index) => locked.get(index));
}

/** Who take part in locked annotations, by the annotation's sequence. */
export async function selectParticipants(
  transaction: Queryable,
  annotations: { organizationKey: string; sequence: number }[],
): Promise<Map<number, string[]>> {
  const { rows } = await transaction.query<{ sequence: number; userIds: string[] }>(
    `select annotation_sequence as sequence, array_agg(user_id) as "userIds"
     from unnest($1::uuid[], $2::bigint[]) as annotation (organization_key, annotation_sequence)
     join comment_users using (organization_key, annotation_sequence)
     where role = 'participant' group by annotation_sequence`,
    [annotations.map(({ organizationKey }) => organizationKey), annotations.map(({ sequence }) => sequence)],
  );
  return new Map(rows.map(({ sequence, userIds }) => [sequence, userIds]));
}

/** Of locked annotations. Returns the bytes of the largest. */
export async function replaceAnnotations(
  transaction: Queryable,
  organizationKey: string,
  rows: { id: string; locationId: string | null; statusId: string; record: string }[],
): Promise<number> {
  const { rows: replaced } = await transaction.query<{ bytes: number }>(
    `update comment_annotations annotation set location_id = merged.location_id, status_id = merged.status_id,
       updated_at = ${NOW_MS}, record = merged.record::json,
       record_bytes = record_bytes - octet_length(annotation.record::text) + octet_length(merged.record)
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as merged (id, location_id, status_id, record)
     where annotation.organization_key = $1 and annotation.id = merged.id
     returning annotation.record_bytes as bytes`,
    [
      organizationKey,
      rows.map(({ id }) => id),
      rows.map(({ locationId }) => locationId),
      rows.map(({ statusId }) => statusId),
      rows.map(({ record }) => record),
    ],
  );
  return Math.max(0, ...replaced.map(({ bytes }) => bytes));
}

/** Of locked annotations: the users have read what is in them. */
export async function markRead(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
  userIds: string[],
): Promise<void> {
  await transaction.query(
    `insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, read_at, document_id,
       written_at)
     select $1, sequence, reader.user_id, latest_comment, ${NOW_MS}, document_id, written_at
     from comment_annotations, (select distinct unnest($3::text[]) as user_id) as reader
     where organization_key = $1 and sequence = any($2)
     order by sequence, reader.user_id
     on conflict (organization_key, annotation_sequence, user_id) do update
       set latest_comment = excluded.latest_comment, read_at = excluded.read_at
       where comment_reads.latest_comment < excluded.latest_comment`,
    [organizationKey, sequences, userIds],
  );
}

const PARTS = ["comments", "comment_users", "comment_reactions", "comment_reads"];

/** Of locked annotations, with all that belongs to them; one statement each, which see what the lock has waited for. */
export async function deleteAnnotations(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<void> {
  for (const table of PARTS) {
    await transaction.query(`delete from ${table} where organization_key = $1 and annotation_sequence = any($2)`, [
      organizationKey,
      sequences,
    ]);
  }
  await transaction.query("delete from comment_annotations where organization_key = $1 and sequence = any($2)", [
    organizationKey,
    sequences,
  ]);
}
