import { type AnyOf, inOrder, isAfter, type PageSource, type PageStart } from "../../database/page.ts";
import { bigint, EMPTY, identifier, integer, join, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import type { AccessOrganization, AccessScope, AccessUser } from "../access/access-queries.ts";
import { isInStoredReadableDocument } from "../access/record-document-queries.ts";
import { isAnnotationVisible, isAnyHidden } from "../access/visibility-queries.ts";
import { isInEnabledDocument } from "../tenancy/tenancy-queries.ts";

export interface Filters {
  documentId?: string | undefined;
  targetEntityId?: string | undefined;
  userId?: string | undefined;
  featureTypes?: string[] | undefined;
  actionTypes?: string[] | undefined;
  activityIds?: string[] | undefined;
  /** Words and "quoted phrases" that all occur in the texts of the activity, `or`, and words with `-` that do not. */
  query?: string | undefined;
  /** Earliest time, and the time before which the activities are, in milliseconds since the epoch. */
  from?: number | undefined;
  to?: number | undefined;
  /** User who must be allowed to see the annotations of activities about comments, and to read their documents. */
  seenBy?: AccessUser | undefined;
}

/** Maximum length of a list that is merged from a page of each value; a longer one would read too many records. */
const MAX_MERGED = 10;

/**
 * Takes the list of types that a page merges, if any, out of the filters. (Measured in an organization of 20,000
 * activities: the one match of a list takes 0.1 ms; looking for it through the feed takes 23 ms.)
 */
function takeMerged(filters: Filters): { merged?: AnyOf; others: Filters } {
  const { featureTypes = [], actionTypes = [], seenBy: _, from: __, to: ___, ...ids } = filters;
  // Any other filter has an index of its own, which is read in order.
  const isByTypes = Object.values(ids).every((value) => value === undefined);
  if (isByTypes && isMergeable(actionTypes)) {
    return { merged: { column: "action_type", values: actionTypes }, others: { ...filters, actionTypes: undefined } };
  }
  if (isByTypes && isMergeable(featureTypes) && actionTypes.length === 0) {
    return {
      merged: { column: "feature_type", values: featureTypes },
      others: { ...filters, featureTypes: undefined },
    };
  }
  return { others: filters };
}

function isMergeable(types: string[]): boolean {
  return types.length > 1 && types.length <= MAX_MERGED;
}

/**
 * Returns the rows of a page without `query`. Several filters by one value each are intersected. (Measured in an
 * organization of a million activities, with one record in feeds of 100,000 and 200,000: 60 ms; reading one feed took
 * 270 to 580 ms.)
 */
export function matchingRows(scope: AccessOrganization, filters: Omit<Filters, "query">): PageSource {
  const { merged, others } = takeMerged(filters);
  const { equalities, lists, times } = buildConditions(scope, others);
  if (equalities.length < 2 || filters.activityIds) {
    return { source: sql`from activities where ${matchesFilters(scope, others)}`, anyOf: merged };
  }
  const condition = join(
    lists.map((list) => sql`and ${list}`),
    " ",
  );
  return {
    source: sql`from activities where ${isOfFeed(scope, times)}`,
    allOf: { feeds: equalities, condition },
  };
}

/** Number of records at the start of a page that are read to look for words in them. */
export const FIRST_RECORDS = 500;
/** Number of records at the start of a page whose entries of two indexes are intersected to look for words. */
const INTERSECTED_RECORDS = 10_000;

/**
 * Returns the rows of a page that match the filters, one of which is `query`: `all`, and the `first`, which suffice if
 * they fill the page, among the first 500 records for frequent words and among the first 10,000 for less frequent ones.
 * The index on words has no order, so it reads all matches. (Measured over HTTP in an organization of 100,000
 * activities among 1,000,000: a page of a word in all takes 12 to 16 ms, of one in a tenth 45 to 64 ms, and 450 ms by
 * the index on words alone.)
 */
export function buildSearchRows(
  scope: AccessOrganization,
  filters: Filters & { query: string },
  start: PageStart,
): { first: Sql[]; all: Sql } {
  const { query, ...others } = filters;
  const { times } = buildConditions(scope, others);
  const feed = sql`from activities where ${isOfFeed(scope, times)} ${isAfter(start)} ${inOrder(start)}`;
  const read = sql`from (select * ${feed} limit ${integer(FIRST_RECORDS)}) as activities
    where ${matchesFilters(scope, others)} and ${hasWords(buildWords(query))}`;
  // A feed of fewer records has no such time, and so no matches.
  const last = sql`(select created_at ${feed} offset ${integer(INTERSECTED_RECORDS - 1)} limit 1)`;
  const isUpToLast = start.order === "asc" ? sql`created_at <= ${last}` : sql`created_at >= ${last}`;
  const intersected = rowsWithWords(scope, filters, sql`${isAfter(start)} and ${isUpToLast}`);
  return { first: [read, intersected], all: rowsWithWords(scope, filters, EMPTY) };
}

/** Returns the condition of all filters except `query`, which needs `hasWords`. */
export function matchesFilters(scope: AccessOrganization, filters: Filters): Sql {
  const { equalities, lists, times } = buildConditions(scope, filters);
  return join([sql`organization_key = ${uuid(scope.key)}`, ...equalities, ...lists, ...times], " and ");
}

/** Returns the condition of the filters on the activities alone, whatever their documents. */
export function matchesColumns(filters: Omit<Filters, "query" | "seenBy">): Sql {
  const { equalities, lists, times } = buildColumnConditions(filters);
  return join([...equalities, ...lists, ...times, sql`true`], " and ");
}

/**
 * Returns the rows that match the filters, one of which is `query`, by the index on words; without words, none. OFFSET
 * keeps PostgreSQL from reading the feed in order, and the words of each activity in it, where it expects many matches.
 */
function rowsWithWords(
  scope: AccessOrganization,
  { query, ...others }: Filters & { query: string },
  isFirst: Sql,
): Sql {
  const organization = uuid(scope.key);
  const words = sql`(quote_literal(${organization})::tsquery && ${buildWords(query)})`;
  return sql`from (
      select * from activities where organization_key = ${organization} and numnode(${buildWords(query)}) > 0
        and ${hasWords(words)} ${isFirst} offset 0
    ) as activities where ${matchesFilters(scope, others)}`;
}

/**
 * Returns the words that the query asks for. Leaves out the protocol of a URL, which is not a word, and an `or` at the
 * end, behind which the next word is being typed.
 */
export function buildWords(query: string): Sql {
  const searched = query.replace(/\b[a-z][a-z\d+.-]*:\/\//gi, "").replace(/\s+or\s*$/i, "");
  return sql`websearch_to_tsquery('pg_catalog.simple', searched_text(${text(searched)}))`;
}

/** Returns the condition that an activity has the words; PostgreSQL reads the index on words for it. */
export function hasWords(words: Sql): Sql {
  return sql`activity_words(activities.organization_key, record, record_bytes) @@ ${words}`;
}

/** Returns the condition of an organization's records of a time. */
function isOfFeed(scope: AccessOrganization, times: Sql[]): Sql {
  return join([sql`organization_key = ${uuid(scope.key)}`, ...times], " and ");
}

/** Conditions of filters: each with an index of its own in the order of the feed, and others. */
type Conditions = Record<"equalities" | "lists" | "times", Sql[]>;

/**
 * Returns the conditions of the filters. Leaves out activities of disabled documents unless a document is named, which
 * the caller checks by its access block. A list of one is an equality, so that PostgreSQL reads that feed in order.
 */
function buildConditions(organization: AccessOrganization, filters: Filters): Conditions {
  const { equalities, lists, times } = buildColumnConditions(filters);
  const { documentId, seenBy } = filters;
  const seen = seenBy && { organization, user: seenBy };
  // Nobody reads a disabled document.
  if (seen && documentId === undefined) lists.push(isInStoredReadableDocument(seen, sql`activities.document_id`));
  else if (documentId === undefined) lists.push(isInEnabledDocument(uuid(organization.key), sql`document_id`));
  if (seen) lists.push(isOfSeenAnnotation(seen));
  return { equalities, lists, times };
}

function buildColumnConditions(filters: Filters): Conditions {
  const columns: [string, string | string[] | undefined][] = [
    ["document_id", filters.documentId],
    ["target_entity_id", filters.targetEntityId],
    ["user_id", filters.userId],
    ["feature_type", filters.featureTypes],
    ["action_type", filters.actionTypes],
    ["id", filters.activityIds],
  ];
  const equalities: Sql[] = [];
  const lists: Sql[] = [];
  for (const [column, value] of columns) {
    if (value === undefined) continue;
    const [only = value] = Array.isArray(value) && value.length === 1 ? value : [];
    if (Array.isArray(only)) lists.push(sql`${identifier(column)} = any(${texts(only)})`);
    else equalities.push(sql`${identifier(column)} = ${text(only)}`);
  }
  const times: Sql[] = [];
  if (filters.from !== undefined) times.push(sql`created_at >= ${bigint(filters.from)}`);
  if (filters.to !== undefined) times.push(sql`created_at < ${bigint(filters.to)}`);
  return { equalities, lists, times };
}

/**
 * Returns the condition that an activity is not about comments of an annotation that is hidden from the user. While
 * access contexts are compared, a deleted annotation is hidden from all users, because its pairs are not known anymore.
 */
function isOfSeenAnnotation(scope: AccessScope): Sql {
  const { key, workspace } = scope.organization;
  const isSeen = workspace.isContextEnabled
    ? sql`exists (select 1 as one from comment_annotations annotation
        where annotation.organization_key = ${uuid(key)} and annotation.id = activities.target_entity_id
          and ${isAnnotationVisible(scope, "annotation")})`
    : sql`not ${isAnyHidden(scope, sql`annotation.id = activities.target_entity_id`)}`;
  return sql`(activities.feature_type <> 'comment' or ${isSeen})`;
}
