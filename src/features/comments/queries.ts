import type { Queryable } from "../../database/database.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { isErased } from "../erasure/queries.ts";
import { OBSTACLE, type Obstacle } from "../organizations/queries.ts";

// Whatever changes something of an annotation locks its row first, several in the order of their ids. So two
// transactions never wait for each other in a circle, and what belongs to an annotation needs no locks of its own.

const NOW_MS = "floor(extract(epoch from statement_timestamp()) * 1000)::bigint";

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
  id: string;
  sequence: number;
  /** Of the statement, in milliseconds since the epoch. */
  nowMs: number;
}

/** Returns those that did not exist. One whose document was deleted before is replaced by a new one. */
export async function insertAnnotations(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  rows: NewAnnotationRow[],
): Promise<Map<string, AnnotationPosition>> {
  const columns =
    "document_id, sequence, location_id, status_id, user_id, created_at, updated_at, written_at, record, record_bytes";
  const excluded = columns.replaceAll(/\w+/g, "excluded.$&");
  const { rows: inserted } = await transaction.query<AnnotationPosition>(
    `insert into comment_annotations (organization_key, id, ${columns})
     select $1, id, $2, sequence, location_id, status_id, user_id, least(created_at, ${NOW_MS}), ${NOW_MS}, ${NOW_MS},
       record::json, octet_length(record)
     from (
       select annotation.*, nextval('comment_sequence') as sequence
       from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
         with ordinality as annotation (id, location_id, status_id, user_id, created_at, record, place)
       order by place
     ) as in_order
     order by id
     on conflict (organization_key, id) do update set (${columns}) = (${excluded}), last_comment_id = 0, latest_comment = 0
       where ${isErased("comment_annotations", "written_at")}
     returning id, sequence, written_at as "nowMs"`,
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

export interface Filters {
  documentId?: string | undefined;
  documentIds?: string[] | undefined;
  locationIds?: string[] | undefined;
  annotationIds?: string[] | undefined;
  /** Who take part: have started the annotation or commented in it. */
  userIds?: string[] | undefined;
  mentionedUserIds?: string[] | undefined;
  statusIds?: string[] | undefined;
  /** Milliseconds since the epoch, themselves not included. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
}

const OF_PAGE = {
  columns: ["updated_at"],
  expression: `'{"createdAt":' || page.created_at || ',"lastUpdated":' || page.updated_at || ',"comments":['
    || coalesce((
      select string_agg(comment.record::text, ',' order by comment.sequence) from comments comment
      where comment.organization_key = $1 and comment.annotation_sequence = page.sequence
    ), '') || '],' || substr(page.record::text, 2)`,
};

/** One page of annotations with their comments; `next` is the place of the last one when there is more. */
export async function selectPage(
  database: Queryable,
  organizationKey: string,
  filters: Filters,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<Obstacle, number>> {
  const { source, values } = sourceOf(organizationKey, filters);
  return selectPageOfRecords(database, {
    source,
    keys: ["created_at", "sequence"],
    values,
    beside: OBSTACLE,
    text: OF_PAGE,
    ...page,
  });
}

/** With one user it starts from that user's list, which is in the order of the page. */
function sourceOf(organizationKey: string, filters: Filters): { source: string; values: unknown[] } {
  const { userIds, mentionedUserIds, annotationIds } = filters;
  const isOne = (ids: string[] | undefined) => ids?.length === 1 && annotationIds === undefined;
  const listed = isOne(userIds) ? "userIds" : isOne(mentionedUserIds) ? "mentionedUserIds" : undefined;
  if (listed === undefined) {
    const { conditions, values } = conditionsOf(organizationKey, filters);
    return { source: `from comment_annotations annotation where ${conditions}`, values };
  }
  const { conditions, values } = conditionsOf(organizationKey, { ...filters, [listed]: undefined });
  const user = `$${values.push(filters[listed]?.[0])}`;
  // The limit of one keeps the planner from starting with the organization's annotations.
  const source = `from (
      select created_at, annotation_sequence as sequence from comment_users
      where organization_key = $1 and role = '${ROLES[listed]}' and user_id = ${user}
    ) as listed cross join lateral (
      select updated_at, record, record_bytes from comment_annotations annotation
      where annotation.sequence = listed.sequence and ${conditions} limit 1
    ) as annotation where true`;
  return { source, values };
}

const ROLES = { userIds: "participant", mentionedUserIds: "mentioned" };

/** Of rows that the statement names `annotation`. A list of one is an equality, which an index has in order. */
function conditionsOf(organizationKey: string, filters: Filters): { conditions: string; values: unknown[] } {
  const values: unknown[] = [organizationKey];
  const conditions = ["annotation.organization_key = $1"];
  const isIn = (column: string, ids: string[]) =>
    ids.length === 1 ? `${column} = $${values.push(ids[0])}` : `${column} = any($${values.push(ids)})`;
  const lists: [string, string[] | undefined][] = [
    ["document_id", filters.documentId === undefined ? undefined : [filters.documentId]],
    ["document_id", filters.documentIds],
    ["location_id", filters.locationIds],
    ["id", filters.annotationIds],
    ["status_id", filters.statusIds],
  ];
  for (const [column, ids] of lists) if (ids) conditions.push(isIn(`annotation.${column}`, ids));
  const bounds: [string, number | undefined][] = [
    ["created_at >", filters.createdAfter],
    ["created_at <", filters.createdBefore],
    ["updated_at >", filters.updatedAfter],
    ["updated_at <", filters.updatedBefore],
  ];
  for (const [bound, time] of bounds) {
    if (time !== undefined) conditions.push(`annotation.${bound} $${values.push(time)}::bigint`);
  }
  for (const [name, role] of Object.entries(ROLES)) {
    const userIds = name === "userIds" ? filters.userIds : filters.mentionedUserIds;
    if (!userIds) continue;
    conditions.push(`exists (select from comment_users "user" where "user".organization_key = $1
      and "user".annotation_sequence = annotation.sequence and "user".role = '${role}'
      and ${isIn('"user".user_id', userIds)})`);
  }
  return { conditions: conditions.join(" and "), values };
}

export interface LockedAnnotation extends AnnotationPosition {
  lastCommentId: number;
  /** Without the times and the comments. */
  record: string;
}

/** The next of those that match, in the order of their ids, without those of a deleted document. */
export async function lockAnnotations(
  transaction: Queryable,
  organizationKey: string,
  filters: Filters,
  { after, limit }: { after: string; limit: number },
): Promise<LockedAnnotation[]> {
  const { conditions, values } = conditionsOf(organizationKey, filters);
  values.push(after, limit);
  const { rows } = await transaction.query<LockedAnnotation>(
    `select id, sequence, last_comment_id as "lastCommentId", record::text as record, ${NOW_MS} as "nowMs"
     from comment_annotations annotation
     where ${conditions} and id > $${values.length - 1} and not ${isErased("annotation", "written_at")}
     order by id limit $${values.length} for update`,
    values,
  );
  return rows;
}

/** Who take part in locked annotations, by the annotation's sequence. */
export async function selectParticipants(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<Map<number, string[]>> {
  const { rows } = await transaction.query<{ sequence: number; userIds: string[] }>(
    `select annotation_sequence as sequence, array_agg(user_id) as "userIds" from comment_users
     where organization_key = $1 and annotation_sequence = any($2) and role = 'participant'
     group by annotation_sequence`,
    [organizationKey, sequences],
  );
  return new Map(rows.map(({ sequence, userIds }) => [sequence, userIds]));
}

/** Of locked annotations. */
export async function replaceAnnotations(
  transaction: Queryable,
  organizationKey: string,
  rows: { id: string; locationId: string | null; statusId: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `update comment_annotations annotation set location_id = merged.location_id, status_id = merged.status_id,
       updated_at = ${NOW_MS}, record = merged.record::json,
       record_bytes = record_bytes - octet_length(annotation.record::text) + octet_length(merged.record)
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as merged (id, location_id, status_id, record)
     where annotation.organization_key = $1 and annotation.id = merged.id`,
    [
      organizationKey,
      rows.map(({ id }) => id),
      rows.map(({ locationId }) => locationId),
      rows.map(({ statusId }) => statusId),
      rows.map(({ record }) => record),
    ],
  );
}

/** Of locked annotations: the users have read what is in them. */
export async function markRead(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
  userIds: string[],
): Promise<void> {
  await transaction.query(
    `insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, document_id, written_at)
     select $1, sequence, reader.user_id, latest_comment, document_id, written_at
     from comment_annotations, (select distinct unnest($3::text[]) as user_id) as reader
     where organization_key = $1 and sequence = any($2)
     order by sequence, reader.user_id
     on conflict (organization_key, annotation_sequence, user_id) do update
       set latest_comment = excluded.latest_comment
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

export interface DocumentCount {
  documentId: string;
  total: number;
  unread: number;
}

/** Of the documents that have annotations; the first row stands for none, and has what stands in the way. */
export async function countAnnotations(
  database: Queryable,
  organizationKey: string,
  { documentIds, statusIds, userId }: { documentIds: string[]; statusIds?: string[] | undefined; userId: string },
): Promise<{ obstacle: Obstacle | null; counts: DocumentCount[] }> {
  const { conditions, values } = conditionsOf(organizationKey, { documentIds, statusIds });
  const { rows } = await database.query<{ obstacle: Obstacle | null } & DocumentCount>(
    `select ${OBSTACLE} as obstacle, '' as "documentId", 0::bigint as total, 0::bigint as unread
     union all
     select null, annotation.document_id, count(*),
       count(*) filter (where annotation.latest_comment > coalesce(reading.latest_comment, 0))
     from comment_annotations annotation
     left join comment_reads reading on reading.organization_key = $1
       and reading.annotation_sequence = annotation.sequence and reading.user_id = $${values.push(userId)}
     where ${conditions} group by annotation.document_id`,
    values,
  );
  return { obstacle: rows[0]?.obstacle ?? null, counts: rows };
}
