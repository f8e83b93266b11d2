import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import {
  bigint,
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
import type { AccessOrganization, AccessUser } from "../../access/access-queries.ts";
import { isAnnotationVisible } from "../../access/visibility-queries.ts";
import { isInFolder } from "../../documents/document-queries.ts";
import { type AccessBlock, buildAccessBlock, isInEnabledDocument } from "../../tenancy/tenancy-queries.ts";
import { ANNOTATION_COLUMNS, serializeAnnotationWithComments } from "../serialized-comment-queries.ts";

export interface Filters {
  /** User who must be allowed to see the annotations. Without one, all annotations match. */
  seenBy?: AccessUser | undefined;
  documentId?: string | undefined;
  documentIds?: string[] | undefined;
  /** Folder that has the document directly; null for documents outside of any folder. */
  folderId?: string | null | undefined;
  locationIds?: string[] | undefined;
  /** Collaborative documents that the anchors refer to. */
  anchorEditorIds?: string[] | undefined;
  annotationIds?: string[] | undefined;
  /** Participants: users who started the annotation or commented in it. */
  userIds?: string[] | undefined;
  mentionedUserIds?: string[] | undefined;
  /** User who has not read the newest comment. */
  unreadBy?: string | undefined;
  statusIds?: string[] | undefined;
  statusId?: string | undefined;
  resolvedBy?: string | undefined;
  /** Fields of the agent that has written the first comment. */
  agentId?: string | undefined;
  executionId?: string | undefined;
  agentType?: string | undefined;
  agentSource?: string | undefined;
  /** URLs in their normal form. */
  agentUrls?: string[] | undefined;
  /** Whether to return only pending suggestions of agents. */
  agentSuggestions?: boolean | undefined;
  /** Whether to return only annotations of agents. */
  agentComments?: boolean | undefined;
  /** Times in milliseconds since the epoch, exclusive. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
}

interface AnnotationPage {
  order: "asc" | "desc";
  pageSize: number;
  after: number[] | undefined;
  /** Number of annotations on the pages before. */
  placesBefore: number;
}

/** Reads one page of the matching annotations with their comments. */
export function selectAnnotationPage(
  scope: AccessOrganization,
  filters: Filters,
  { placesBefore, ...page }: AnnotationPage,
): Promise<PageOfRecords<AccessBlock, number>> {
  return selectPageOfRecords(scope, {
    source: buildSource(scope, filters),
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    extra: buildAccessBlock(scope.key, filters.documentId ?? filters.documentIds),
    serialized: {
      columns: ANNOTATION_COLUMNS,
      expression: serializeAnnotationWithComments(scope.key, placesBefore),
    },
    ...page,
  });
}

/** Returns the source of a page. A filter by one user starts from that user's list, which is in the page's order. */
function buildSource(scope: AccessOrganization, filters: Filters): Sql {
  const { userIds, mentionedUserIds, annotationIds } = filters;
  const isOne = (ids: string[] | undefined) => ids?.length === 1 && annotationIds === undefined;
  const listed = isOne(userIds) ? "userIds" : isOne(mentionedUserIds) ? "mentionedUserIds" : undefined;
  const [userId] = (listed && filters[listed]) ?? [];
  if (listed === undefined || userId === undefined) {
    return sql`from comment_annotations annotation where ${matchesFilters(scope, filters)}`;
  }
  // The limit of one keeps the planner from starting with the organization's annotations.
  return sql`from (
      select created_at, annotation_sequence as sequence from comment_users
      where organization_key = ${uuid(scope.key)} and role = ${ROLES[listed]} and user_id = ${text(userId)}
    ) as listed cross join lateral (
      select ${identifiers([...ANNOTATION_COLUMNS, "record", "record_bytes"])}
      from comment_annotations annotation
      where annotation.sequence = listed.sequence
        and ${matchesFilters(scope, { ...filters, [listed]: undefined })}
      limit 1
    ) as annotation where true`;
}

const ROLES = { userIds: sql`'participant'`, mentionedUserIds: sql`'mentioned'` };

/** Returns the condition of the filters on `annotation`. A list of one is an equality, which an index has in order. */
export function matchesFilters(scope: AccessOrganization, filters: Filters): Sql {
  const isIn = (column: Sql, ids: string[]) => {
    const [only = ""] = ids;
    return ids.length === 1 ? sql`${column} = ${text(only)}` : sql`${column} = any(${texts(ids)})`;
  };
  const one = (value: string | undefined) => (value === undefined ? undefined : [value]);
  const lists: [string, string[] | undefined][] = [
    ["document_id", one(filters.documentId)],
    ["document_id", filters.documentIds],
    ["location_id", filters.locationIds],
    ["anchor_editor_id", filters.anchorEditorIds],
    ["id", filters.annotationIds],
    ["status_id", filters.statusIds],
    ["status_id", one(filters.statusId)],
    ["resolved_by", one(filters.resolvedBy)],
    ["agent_id", one(filters.agentId)],
    ["execution_id", one(filters.executionId)],
    ["agent_type", one(filters.agentType)],
    ["agent_source", one(filters.agentSource)],
    ["agent_url", filters.agentUrls],
  ];
  const { agentComments, agentSuggestions, agentType } = filters;
  const key = uuid(scope.key);
  const bounds: [Sql, number | undefined][] = [
    [sql`annotation.created_at >`, filters.createdAfter],
    [sql`annotation.created_at <`, filters.createdBefore],
    [sql`annotation.updated_at >`, filters.updatedAfter],
    [sql`annotation.updated_at <`, filters.updatedBefore],
  ];
  const users: [Sql, string[] | undefined][] = [
    [ROLES.userIds, filters.userIds],
    [ROLES.mentionedUserIds, filters.mentionedUserIds],
  ];
  const conditions = [
    sql`annotation.organization_key = ${key}`,
    ...lists.flatMap(([column, ids]) => (ids ? [isIn(sql`annotation.${identifier(column)}`, ids)] : [])),
    ...((filters.documentId ?? filters.documentIds) ? [] : [isInEnabledDocument(key, sql`annotation.document_id`)]),
    ...(filters.folderId === undefined ? [] : [isInFolder(scope.key, sql`annotation.document_id`, filters.folderId)]),
    ...(filters.seenBy ? [isAnnotationVisible({ organization: scope, user: filters.seenBy }, "annotation")] : []),
    ...(filters.unreadBy === undefined
      ? []
      : [
          sql`annotation.latest_comment > coalesce((select reading.latest_comment from comment_reads reading
            where reading.organization_key = ${key} and reading.annotation_sequence = annotation.sequence
              and reading.user_id = ${text(filters.unreadBy)}), 0)`,
        ]),
    // The partial indexes on annotations of agents have this condition.
    ...(agentComments || agentSuggestions || agentType ? [sql`annotation.agent_source is not null`] : []),
    ...(agentSuggestions ? [sql`annotation.suggestion_status = 'pending'`] : []),
    ...bounds.flatMap(([bound, time]) => (time === undefined ? [] : [sql`${bound} ${bigint(time)}`])),
    ...users.flatMap(([role, userIds]) =>
      userIds
        ? [
            sql`exists (select from comment_users "user"
              where "user".organization_key = ${uuid(scope.key)}
                and "user".annotation_sequence = annotation.sequence and "user".role = ${role}
                and ${isIn(sql`"user".user_id`, userIds)})`,
          ]
        : [],
    ),
  ];
  return join(conditions, " and ");
}

/** Returns the number of annotations with one of the ids in these documents, whatever the other filters are. */
export async function countExisting(
  scope: AccessOrganization,
  { annotationIds, documentId, documentIds, seenBy }: Filters,
): Promise<number> {
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*)::int as count from comment_annotations annotation
      where ${matchesFilters(scope, { annotationIds, documentId, documentIds, seenBy })}`,
  );
  return row?.count ?? 0;
}

export interface DocumentCount {
  documentId: string;
  total: number;
  unread: number;
  unreadIds?: string[];
}

/** Maximum number of IDs of unread annotations. */
const MAX_UNREAD_IDS = 1_000;

/** Counts the annotations of documents that have any, and those the user has not read. */
export async function countAnnotations(
  scope: AccessOrganization,
  {
    userId,
    ...filters
  }: Pick<Filters, "statusIds" | "anchorEditorIds" | "seenBy"> & { documentIds: string[]; userId: string },
  includeUnreadIds: boolean,
): Promise<{ block: AccessBlock | null; counts: DocumentCount[] }> {
  const isUnread = sql`annotation.latest_comment > coalesce(reading.latest_comment, 0)`;
  const unreadIds = sql`, (coalesce(
    array_agg(annotation.id order by annotation.created_at desc, annotation.sequence desc)
    filter (where ${isUnread}), '{}'))[:${integer(MAX_UNREAD_IDS)}]`;
  // The first row has the access block; its document id is empty, as no document's is.
  const [first, ...counts] = await scope.run(
    sql<
      { block: AccessBlock | null } & DocumentCount
    >`select ${buildAccessBlock(scope.key, filters.documentIds)} as block,
        '' as "documentId", 0::bigint as total, 0::bigint as unread
        ${includeUnreadIds ? sql`, '{}'::text[] as "unreadIds"` : EMPTY}
      union all
      select null, annotation.document_id, count(*),
        count(*) filter (where ${isUnread})
        ${includeUnreadIds ? unreadIds : EMPTY}
      from comment_annotations annotation
      left join comment_reads reading on reading.organization_key = ${uuid(scope.key)}
        and reading.annotation_sequence = annotation.sequence and reading.user_id = ${text(userId)}
      where ${matchesFilters(scope, filters)} group by annotation.document_id
      order by "documentId"`,
  );
  return { block: first?.block ?? null, counts };
}
