import type { OrganizationKey } from "../../../database/keys.ts";
import { inOrder, isAfter, type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { bigint, bigints, EMPTY, integer, type Sql, sql, unprepared, uuid, uuids } from "../../../database/sql.ts";
import type { CrossTenantScope, TransactionalCrossTenantScope } from "../../tenancy/organization-scope.ts";
import { isInEnabledDocument } from "../../tenancy/tenancy-queries.ts";
import { buildWords, FIRST_RECORDS, type Filters, hasWords, matchesColumns } from "../activity-filter-queries.ts";
import { FEED_ORDER, SERIALIZED } from "../activity-queries.ts";

/** Filters of activities that mean the same in every organization. */
export type WorkspaceFilters = Pick<Filters, "userId" | "featureTypes" | "actionTypes" | "query" | "from" | "to">;

/** The activities of a workspace that are read. */
interface Search {
  /** Condition on the organizations. */
  isOfWorkspace: Sql;
  filters: Omit<WorkspaceFilters, "query">;
  /** Keys of the record that the page comes after. */
  after: number[] | undefined;
}

/** The place of an activity in the feed of its organization. */
interface Place {
  organization_key: OrganizationKey;
  created_at: number;
  sequence: number;
}

const ORDER = { ...FEED_ORDER, order: "desc" } as const;
const NEWEST_FIRST = sql`order by found.created_at desc, found.sequence desc`;
/** Number of organizations from which on the newest activities are looked for by their time. */
const MANY_ORGANIZATIONS = 500;
/** Time, back from now or the end of the page before, in which the newest activities are looked for first. */
const FIRST_SPAN_MS = 10_000;
/** The longest such time. */
const MAX_SPAN_MS = 10 * 365 * 24 * 60 * 60 * 1000;
/** The most by which it grows at once while no activity of the workspace is in it. */
const MAX_GROWTH = 16;
/** Maximum number of activities of all workspaces that are read in such a time. */
const MAX_READ = 10_000;
const MAX_TRIES = 8;

/**
 * Multiples of the time of the newest 500 records in which words are looked for before all records are. (Measured over
 * HTTP in 1,000,000 activities: a word in a seventh, but not in the newest 500, takes 0.17 s instead of 5.2 s.)
 */
const SPANS = [20, 400];

/** Reads a page of the matching activities of all enabled documents of a workspace, newest first. */
export async function selectWorkspaceActivityPage(
  scope: TransactionalCrossTenantScope,
  workspaceId: string,
  { query, ...filters }: WorkspaceFilters,
  { pageSize, after }: { pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<null, number>> {
  const isOfWorkspace = sql`workspace_id = ${uuid(workspaceId)} and not disabled and deleted_at is null`;
  const search = { isOfWorkspace, filters, after };
  const select = (source: Sql) =>
    selectPageOfRecords<null, number>(scope, {
      source,
      ...ORDER,
      extra: sql`null`,
      serialized: SERIALIZED,
      pageSize,
      after: undefined,
    });
  const getRecords = (found: Sql) =>
    sql`from (${found}) as found join activities using (organization_key, created_at, sequence)`;
  if (query === undefined) {
    const places = await newestPlaces(scope, search, pageSize + 1);
    const page = await select(sql`${getRecords(buildSelect(places))} where true`);
    if (page.next || places.length <= pageSize) return page;
    // Records were deleted between the statements, so others have their place on the page.
    return selectWorkspaceActivityPage(scope, workspaceId, filters, { pageSize, after });
  }
  const words = buildWords(query);
  const places = await newestPlaces(scope, search, FIRST_RECORDS);
  // OFFSET keeps PostgreSQL from reading the index on words for the newest records.
  const newest = sql`(select activities.* ${getRecords(buildSelect(places))} offset 0)`;
  const first = await select(sql`from ${newest} as activities where ${hasWords(words)}`);
  if (first.next || places.length < FIRST_RECORDS) return first;
  const [to = 0, from = 0] = [places[0]?.created_at, places.at(-1)?.created_at];
  const page = (since: Sql) => {
    const withWords = buildMatches(search, sql`and numnode(${words}) > 0 and ${hasWords(words)} ${since}`);
    const found = sql`${withWords} where ${isOfWorkspace} ${NEWEST_FIRST} limit ${integer(pageSize + 1)}`;
    return select(sql`${getRecords(found)} where true`);
  };
  // The index on words has no order, so all matches since a time are read.
  for (const span of SPANS) {
    const newer = await page(sql`and created_at >= ${bigint(to - (to - from) * span)}`);
    if (newer.next) return newer;
  }
  return page(EMPTY);
}

/** Returns the select of the places. */
function buildSelect(places: readonly Place[]): Sql {
  const keys = uuids(places.map(({ organization_key }) => organization_key));
  const times = bigints(places.map(({ created_at }) => created_at));
  const sequences = bigints(places.map(({ sequence }) => sequence));
  return sql`select * from unnest(${keys}, ${times}, ${sequences}) as place (organization_key, created_at, sequence)`;
}

/** Returns the places of the newest matches of a workspace, in order, and of all if they are fewer than `count`. */
async function newestPlaces(scope: TransactionalCrossTenantScope, search: Search, count: number): Promise<Place[]> {
  const byTime = (await isByTime(scope, search)) ? await newestByTime(scope, search, count) : undefined;
  return byTime ?? newestByOrganization(scope, search, count);
}

/** Returns whether there are so many organizations that the newest activities are looked for by their time. */
async function isByTime(scope: CrossTenantScope, { isOfWorkspace }: Search): Promise<boolean> {
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*)::int as count from (
      select organization_key from organizations where ${isOfWorkspace} limit ${integer(MANY_ORGANIZATIONS)}
    ) as organization`,
  );
  return row?.count === MANY_ORGANIZATIONS;
}

/**
 * Looks for the newest matches among the activities of all workspaces since a time, which the summary of the times in
 * each range of pages finds. Tries times until enough matches are among few activities. Returns nothing if too many are
 * of other workspaces or do not match. (Measured over HTTP in 1,000,000 activities of 10,000 organizations: a page
 * takes 13 ms, and by organization 104 to 124 ms. On Citus, whose nodes get what was read from the coordinator, in
 * 160,000 activities of 8,000 organizations: 180 to 370 ms, and by organization 60 to 170 ms.)
 */
function newestByTime(
  scope: TransactionalCrossTenantScope,
  search: Search,
  count: number,
): Promise<Place[] | undefined> {
  const latest = search.after?.[0] ?? search.filters.to ?? Date.now();
  return scope.transaction(async (transaction) => {
    // Otherwise PostgreSQL expects to find as many as may be read at the beginning of the table.
    await transaction.run(unprepared(sql`set local enable_seqscan = off`));
    let [spanMs, tooShortMs, tooLongMs] = [FIRST_SPAN_MS, 1, MAX_SPAN_MS];
    for (let tries = 0; tries < MAX_TRIES && spanMs < MAX_SPAN_MS; tries++) {
      const since = latest - Math.round(spanMs);
      const rows = await transaction.run(newestSince(search, since, count));
      const places = rows.flatMap(({ place }) => place ?? []);
      const read = rows[0]?.read ?? 0;
      const isComplete = read <= MAX_READ;
      const areEnough = places.length === count || since <= (search.filters.from ?? 0);
      if (isComplete && areEnough) return places;
      if (!areEnough && (read * count) / Math.max(places.length, 1) > MAX_READ) return undefined;
      if (isComplete) tooShortMs = spanMs;
      else tooLongMs = spanMs;
      // This suffices if the activities before are as frequent.
      const growth = Math.max(2, places.length > 0 ? (1.5 * count) / places.length : MAX_GROWTH);
      const middleMs = Math.sqrt(tooShortMs * tooLongMs);
      spanMs = isComplete ? Math.min(tooShortMs * growth, middleMs) : middleMs;
    }
    return undefined;
  });
}

/** Returns the select of the newest matches since a time, and with each how many activities were read for all. */
function newestSince({ isOfWorkspace, filters, after }: Search, since: number, count: number) {
  const { from, to, ...others } = filters;
  const recent = sql`select organization_key, document_id, user_id, feature_type, action_type, created_at, sequence
    from activities where created_at >= ${bigint(since)} and ${matchesColumns({ from, to })}
      ${isAfter({ ...ORDER, after })} limit ${integer(MAX_READ + 1)}`;
  const found = sql`select found.organization_key, found.created_at, found.sequence
    from recent as found join organizations using (organization_key)
    where ${isOfWorkspace} and ${matchesColumns(others)} and not exists (
      select 1 from documents where documents.organization_key = organizations.organization_key
        and documents.document_id = found.document_id and documents.disabled)
    ${NEWEST_FIRST} limit ${integer(count)}`;
  // A prepared statement would be planned for any time, and so read all activities.
  return unprepared(
    sql<{ read: number; place: Place | null }>`with recent as materialized (${recent})
      select (select count(*)::int from recent) as read, to_json(found) as place
      from (values (true)) as always (holds) left join (${found}) as found on holds`,
  );
}

/**
 * Reads the first match of each organization, or of few organizations as many of each as suffice together. Only the
 * organizations whose newest match is among the newest of all can hold one of them, and only since the time of the last
 * of these newest matches. So then it reads those few since then.
 */
async function newestByOrganization(scope: CrossTenantScope, search: Search, count: number): Promise<Place[]> {
  const getNewest = (isRead: Sql, since: Sql, perOrganization: number) =>
    sql<Place>`${buildMatches(search, sql`${since} ${inOrder(ORDER)} limit ${integer(perOrganization)}`)}
      where ${isRead} ${NEWEST_FIRST} limit ${integer(count)}`;
  // Statements of their own: Citus joins nothing laterally with organizations of which it has the first few.
  const newest = await scope.run(getNewest(search.isOfWorkspace, EMPTY, 1));
  if (newest.length === 0) return [];
  const isRead = sql`organizations.organization_key = any(${uuids(newest.map((place) => place.organization_key))})`;
  const isFew = newest.length < count;
  const first = isFew ? await scope.run(getNewest(isRead, EMPTY, Math.ceil(count / newest.length))) : newest;
  const last = first[count - 1];
  return scope.run(getNewest(isRead, last ? sql`and created_at >= ${bigint(last.created_at)}` : EMPTY, count));
}

/** Returns the select of the matches of each organization. `rest` ends its conditions and may limit it. */
function buildMatches({ filters, after }: Search, rest: Sql): Sql {
  return sql`select organizations.organization_key, found.created_at, found.sequence
    from organizations cross join lateral (
      select created_at, sequence from activities
      where activities.organization_key = organizations.organization_key
        and ${isInEnabledDocument(sql`organizations.organization_key`, sql`document_id`)} and ${matchesColumns(filters)}
        ${isAfter({ ...ORDER, after })} ${rest}
    ) as found`;
}
