import type { Queryable } from "../../../../database/database.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../../../database/page.ts";
import type { SelectValue } from "../../../../database/shared-select.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../../../tenancy/queries.ts";

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
): Promise<PageOfRecords<AccessBlock, number>> {
  const { source, values } = sourceOf(organizationKey, filters);
  return selectPageOfRecords(database, {
    source,
    keys: ["created_at", "sequence"],
    values,
    extra: ACCESS_BLOCK,
    text: OF_PAGE,
    ...page,
  });
}

/** With one user it starts from that user's list, which is in the order of the page. */
function sourceOf(organizationKey: string, filters: Filters): { source: string; values: SelectValue[] } {
  const { userIds, mentionedUserIds, annotationIds } = filters;
  const isOne = (ids: string[] | undefined) => ids?.length === 1 && annotationIds === undefined;
  const listed = isOne(userIds) ? "userIds" : isOne(mentionedUserIds) ? "mentionedUserIds" : undefined;
  const [userId] = (listed && filters[listed]) ?? [];
  if (listed === undefined || userId === undefined) {
    const { conditions, values } = conditionsOf(organizationKey, filters);
    return { source: `from comment_annotations annotation where ${conditions}`, values };
  }
  const { conditions, values } = conditionsOf(organizationKey, { ...filters, [listed]: undefined });
  const user = `$${values.push(userId)}`;
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
export function conditionsOf(organizationKey: string, filters: Filters): { conditions: string; values: SelectValue[] } {
  const values: SelectValue[] = [organizationKey];
  const conditions = ["annotation.organization_key = $1"];
  const isIn = (column: string, ids: string[]) => {
    const [only = ids] = ids.length === 1 ? ids : [];
    return `${column} = ${only === ids ? `any($${values.push(ids)})` : `$${values.push(only)}`}`;
  };
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

export interface DocumentCount {
  documentId: string;
  total: number;
  unread: number;
}

/** Of the documents that have annotations; the one without an id stands for none, and has what stands in the way. */
export async function countAnnotations(
  database: Queryable,
  organizationKey: string,
  { documentIds, statusIds, userId }: { documentIds: string[]; statusIds?: string[] | undefined; userId: string },
): Promise<{ block: AccessBlock | null; counts: DocumentCount[] }> {
  const { conditions, values } = conditionsOf(organizationKey, { documentIds, statusIds });
  const { rows } = await database.query<{ block: AccessBlock | null } & DocumentCount>(
    `select ${ACCESS_BLOCK} as block, '' as "documentId", 0::bigint as total, 0::bigint as unread
     union all
     select null, annotation.document_id, count(*),
       count(*) filter (where annotation.latest_comment > coalesce(reading.latest_comment, 0))
     from comment_annotations annotation
     left join comment_reads reading on reading.organization_key = $1
       and reading.annotation_sequence = annotation.sequence and reading.user_id = $${values.push(userId)}
     where ${conditions} group by annotation.document_id`,
    values,
  );
  return { block: rows.find(({ documentId }) => documentId === "")?.block ?? null, counts: rows };
}
