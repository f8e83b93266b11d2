import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import {
  bigint,
  booleans,
  EMPTY,
  integer,
  integers,
  type Sql,
  sql,
  text,
  texts,
  uuid,
  uuids,
} from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { mayMention } from "../purge/user-purge-queries.ts";

/** Number of the newest requests of a workspace that are kept at least. */
export const KEPT_REQUESTS = 10_000;

/** Number of the newest requests with wrong credentials or unknown paths that are kept at least. */
export const KEPT_REJECTED_REQUESTS = 1_000;

/** Requests of one workspace. */
export interface RequestChunk {
  workspaceId: string;
  /** Whether the requests had wrong credentials or unknown paths. */
  isRejected: boolean;
  count: number;
  /** JSON text of the requests. */
  requests: string;
}

export async function insertRequests(database: Queryable, chunks: RequestChunk[]): Promise<void> {
  await database.run(
    sql`insert into request_log (workspace_id, is_rejected, count, requests)
      select workspace_id, is_rejected, count, requests::json
      from unnest(${uuids(chunks.map(({ workspaceId }) => workspaceId))},
        ${booleans(chunks.map(({ isRejected }) => isRejected))}, ${integers(chunks.map(({ count }) => count))},
        ${texts(chunks.map(({ requests }) => requests))}) as chunk (workspace_id, is_rejected, count, requests)`,
  );
}

/** Deletes the chunks of workspaces that come before the newest requests. */
export async function deleteOldRequests(database: Queryable, workspaceIds: string[]): Promise<void> {
  await database.run(
    sql`delete from request_log where sequence in (
        select sequence from (
          select sequence, is_rejected,
            sum(count) over (partition by workspace_id, is_rejected order by sequence desc) - count as newer
          from request_log where workspace_id = any(${uuids(workspaceIds)})
        ) as chunk
        where newer >= case when is_rejected then ${integer(KEPT_REJECTED_REQUESTS)} else ${integer(KEPT_REQUESTS)} end
      )`,
  );
}

/** Deletes up to `limit` chunks from before a time, in milliseconds since the epoch. Returns how many. */
export async function deleteRequestsBefore(database: Queryable, time: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from request_log where sequence in (
        select sequence from request_log where created_at < ${bigint(time)} order by created_at limit ${integer(limit)}
      ) returning sequence`,
  );
  return deleted.length;
}

/** A row of the log. */
interface StoredChunk {
  sequence: string;
  /** JSON text of the requests. */
  requests: string;
}

/** Returns the next row of a workspace that may mention somebody, as a list of at most one. */
export function selectChunksNaming(
  database: Queryable,
  workspaceId: string,
  { patterns, after }: { patterns: readonly string[]; after: string },
): Promise<StoredChunk[]> {
  return database.run(
    sql<StoredChunk>`select sequence::text as sequence, requests::text as requests from request_log
      where workspace_id = ${uuid(workspaceId)} and sequence > ${text(after)}::bigint
        and ${mayMention(sql`requests::text`, patterns)}
      order by sequence limit 1`,
  );
}

export async function replaceRequests(database: Queryable, { sequence, requests }: StoredChunk): Promise<void> {
  await database.run(
    sql`update request_log set requests = ${text(requests)}::json where sequence = ${text(sequence)}::bigint`,
  );
}

export interface RequestFilters {
  operation?: string | undefined;
  statuses?: string[] | undefined;
  requestId?: string | undefined;
  authTokenId?: string | undefined;
  organizationId?: string | undefined;
  /** Milliseconds since the epoch; `to` is excluded. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Reads a page of the matching requests, newest first. */
export function selectRequestPage(
  database: Queryable,
  workspaceId: string,
  filters: RequestFilters,
  page: { after: number[] | undefined; pageSize: number },
): Promise<PageOfRecords<null, number>> {
  return selectPageOfRecords(database, {
    source: matching(workspaceId, filters),
    keys: ["responded_at", "sequence", "item"],
    keyType: "bigint",
    order: "desc",
    extra: sql`null::text`,
    ...page,
  });
}

/** Returns `from … where …` of the matching requests. */
function matching(
  workspaceId: string,
  { operation, statuses, requestId, authTokenId, organizationId, from, to }: RequestFilters,
): Sql {
  return sql`from (
        select request as record, octet_length(request::text) as record_bytes, sequence, item,
          (request ->> 'timestamp')::bigint as responded_at
        from request_log cross join lateral json_array_elements(requests) with ordinality as each (request, item)
        where workspace_id = ${uuid(workspaceId)}
      ) as request where true
      ${operation === undefined ? EMPTY : sql`and record ->> 'operation' = ${text(operation)}`}
      ${statuses ? sql`and record ->> 'status' = any(${texts(statuses)})` : EMPTY}
      ${requestId === undefined ? EMPTY : sql`and record ->> 'requestId' = ${text(requestId)}`}
      ${authTokenId === undefined ? EMPTY : sql`and record ->> 'authTokenId' = ${text(authTokenId)}`}
      ${organizationId === undefined ? EMPTY : sql`and record ->> 'organizationId' = ${text(organizationId)}`}
      ${from === undefined ? EMPTY : sql`and responded_at >= ${bigint(from)}`}
      ${to === undefined ? EMPTY : sql`and responded_at < ${bigint(to)}`}`;
}

export interface RequestCounts {
  requests: number;
  errors: number;
  medianMs: number | null;
  p95Ms: number | null;
  /** Times between which the requests are, in milliseconds since the epoch. */
  startsAt: number | null;
  endsAt: number | null;
  /** Numbers in the intervals that have requests, by their place from 1. */
  intervals: { place: number; requests: number; errors: number }[];
}

/** Counts the matching requests, in all and in `count` intervals of equal length. */
export async function selectRequestCounts(
  database: Queryable,
  workspaceId: string,
  filters: RequestFilters,
  count: number,
): Promise<RequestCounts | undefined> {
  const { from, to } = filters;
  const [row] = await database.run(
    sql<RequestCounts>`with request as materialized (
        select responded_at, record ->> 'status' <> 'OK' as is_error, (record ->> 'durationMs')::float8 as duration_ms
        ${matching(workspaceId, filters)}
      ), span as (
        select coalesce(${bigint(from ?? null)}, min(responded_at)) as starts_at,
          coalesce(${bigint(to ?? null)}, max(responded_at) + 1) as ends_at
        from request
      ), part as (
        select width_bucket(responded_at::float8, starts_at::float8, greatest(ends_at, starts_at + 1)::float8,
            ${integer(count)}) as place,
          count(*) as requests, count(*) filter (where is_error) as errors
        from request cross join span group by place
      )
      select count(*) as requests, count(*) filter (where is_error) as errors,
        percentile_cont(0.5) within group (order by duration_ms) as "medianMs",
        percentile_cont(0.95) within group (order by duration_ms) as "p95Ms",
        (select starts_at from span) as "startsAt", (select ends_at from span) as "endsAt",
        coalesce((select json_agg(part order by place) from part), '[]') as intervals
      from request`,
  );
  return row;
}

interface ReachedLimitRow {
  limit: string;
  userId: string | null;
  authTokenId: string | null;
  requests: number;
  /** Time of the last one, in milliseconds since the epoch. */
  lastAt: number;
}

/** Returns up to 100 callers whose matching requests have reached limits, those with the most requests first. */
export function selectReachedLimits(
  database: Queryable,
  workspaceId: string,
  filters: RequestFilters,
): Promise<ReachedLimitRow[]> {
  return database.run(
    sql<ReachedLimitRow>`select record ->> 'limit' as limit, record ->> 'userId' as "userId",
        record ->> 'authTokenId' as "authTokenId", count(*) as requests, max(responded_at) as "lastAt"
      ${matching(workspaceId, filters)} and record ->> 'limit' is not null
      group by 1, 2, 3 order by count(*) desc, max(responded_at) desc limit 100`,
  );
}
