import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { bigint, EMPTY, integer, integers, sql, text, texts, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";

/** Number of the newest requests of a workspace that are kept at least. */
export const KEPT_REQUESTS = 10_000;

/** Requests of one workspace. */
export interface RequestChunk {
  workspaceId: string;
  count: number;
  /** JSON text of the requests. */
  requests: string;
}

export async function insertRequests(database: Queryable, chunks: RequestChunk[]): Promise<void> {
  await database.run(
    sql`insert into request_log (workspace_id, count, requests)
      select workspace_id, count, requests::json
      from unnest(${uuids(chunks.map(({ workspaceId }) => workspaceId))}, ${integers(chunks.map(({ count }) => count))},
        ${texts(chunks.map(({ requests }) => requests))}) as chunk (workspace_id, count, requests)`,
  );
}

/** Deletes the chunks of workspaces that come before the newest requests. */
export async function deleteOldRequests(database: Queryable, workspaceIds: string[]): Promise<void> {
  await database.run(
    sql`delete from request_log where sequence in (
        select sequence from (
          select sequence, sum(count) over (partition by workspace_id order by sequence desc) - count as newer
          from request_log where workspace_id = any(${uuids(workspaceIds)})
        ) as chunk where newer >= ${integer(KEPT_REQUESTS)}
      )`,
  );
}

interface Filters {
  operation?: string | undefined;
  statuses?: string[] | undefined;
  requestId?: string | undefined;
  authTokenId?: string | undefined;
  /** Milliseconds since the epoch; `to` is excluded. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Reads a page of the matching requests, newest first. */
export function selectRequestPage(
  database: Queryable,
  workspaceId: string,
  { operation, statuses, requestId, authTokenId, from, to }: Filters,
  page: { after: number[] | undefined; pageSize: number },
): Promise<PageOfRecords<null, number>> {
  return selectPageOfRecords(database, {
    source: sql`from (
        select request as record, octet_length(request::text) as record_bytes, sequence, item,
          (request ->> 'timestamp')::bigint as responded_at
        from request_log cross join lateral json_array_elements(requests) with ordinality as each (request, item)
        where workspace_id = ${uuid(workspaceId)}
      ) as request where true
      ${operation === undefined ? EMPTY : sql`and record ->> 'operation' = ${text(operation)}`}
      ${statuses ? sql`and record ->> 'status' = any(${texts(statuses)})` : EMPTY}
      ${requestId === undefined ? EMPTY : sql`and record ->> 'requestId' = ${text(requestId)}`}
      ${authTokenId === undefined ? EMPTY : sql`and record ->> 'authTokenId' = ${text(authTokenId)}`}
      ${from === undefined ? EMPTY : sql`and responded_at >= ${bigint(from)}`}
      ${to === undefined ? EMPTY : sql`and responded_at < ${bigint(to)}`}`,
    keys: ["responded_at", "sequence", "item"],
    keyType: "bigint",
    order: "desc",
    extra: sql`null::text`,
    ...page,
  });
}
