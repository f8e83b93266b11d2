import type { Actor } from "../../../contract/audit.ts";
import { bigint, EMPTY, integer, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";

/** What is kept of a deletion. User IDs and who asked are empty once AUDIT_RETENTION_DAYS have passed. */
export interface KeptDeletion {
  jobId: string;
  userIds: string[];
  organizationIds: string[] | null;
  requestedBy: Actor | null;
  acceptedAt: number;
  completedAt: number | null;
}

interface ListedDeletion extends KeptDeletion {
  deleted: number;
  stripped: number;
}

const COLUMNS = sql`id::text as "jobId", user_ids as "userIds", organization_ids as "organizationIds",
  requested_by as "requestedBy", accepted_at as "acceptedAt",
  case when stage = 'done' then last_task_completed_at end as "completedAt"`;

/** Returns the next deletions of a workspace, newest first, with the number of records that each has changed. */
export function selectDeletions(
  database: Queryable,
  workspaceId: string,
  { userId, after, limit }: { userId: string | undefined; after: [number, string] | undefined; limit: number },
): Promise<ListedDeletion[]> {
  const isAfter = after ? sql`and (accepted_at, id) < (${bigint(after[0])}, ${uuid(after[1])})` : EMPTY;
  return database.run(
    sql<ListedDeletion>`select ${COLUMNS}, coalesce(sum.deleted, 0)::bigint as deleted,
        coalesce(sum.stripped, 0)::bigint as stripped
      from user_data_deletions deletion left join lateral (
        select sum(deleted) as deleted, sum(stripped) as stripped from user_data_receipts
        where deletion_id = deletion.id
      ) as sum on true
      where workspace_id = ${uuid(workspaceId)} ${userId === undefined ? EMPTY : names(userId)} ${isAfter}
      order by accepted_at desc, id desc limit ${integer(limit)}`,
  );
}

function names(userId: string): Sql {
  return sql`and user_ids @> ${texts([userId])}`;
}

/** Returns what is kept of a deletion, with the kinds that it searched, or undefined if the workspace has no such. */
export async function selectKeptDeletion(
  database: Queryable,
  workspaceId: string,
  id: string,
): Promise<(KeptDeletion & { kinds: string[] }) | undefined> {
  const [row] = await database.run(
    sql<KeptDeletion & { kinds: string[] }>`select ${COLUMNS}, kinds from user_data_deletions
      where workspace_id = ${uuid(workspaceId)} and id::text = ${text(id)}`,
  );
  return row;
}

export interface KindCounts {
  kind: string;
  deleted: number;
  stripped: number;
}

/** Returns the numbers of records of each kind that a deletion has purged or changed in all organizations. */
export function selectKindCounts(database: Queryable, id: string): Promise<(KindCounts & { entries: number })[]> {
  return database.run(
    sql<KindCounts & { entries: number }>`select kind, sum(deleted)::bigint as deleted,
        sum(stripped)::bigint as stripped, count(*) as entries
      from user_data_receipts where deletion_id = ${uuid(id)} group by kind`,
  );
}

/** Clears whose data up to `limit` deletions from before a time have deleted, and who asked. Returns how many. */
export async function clearDeletionsBefore(database: Queryable, time: number, limit: number): Promise<number> {
  const cleared = await database.run(
    sql`update user_data_deletions set user_ids = '{}', requested_by = null
      where id in (
        select id from user_data_deletions
        where accepted_at < ${bigint(time)} and stage = 'done' and user_ids <> '{}' limit ${integer(limit)}
      ) returning id`,
  );
  return cleared.length;
}
