import { bigint, EMPTY, integer, sql, text, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { type SendResult, toReason } from "../../email/send-attempt.ts";
import { existedAt, type Moment } from "../purge/purge-queries.ts";

/** Mails of a workspace that belong to no organization. */
export const WORKSPACE_MAIL_KINDS = ["test", "login_link", "webhook_disabled"] as const;
type WorkspaceMailKind = (typeof WORKSPACE_MAIL_KINDS)[number];

interface WorkspaceMail {
  /** ID of the mail, the same in each attempt, ordered by time. */
  id: string;
  kind: WorkspaceMailKind;
  address: string;
}

/** Records an attempt in the log of mails of the workspaces. `expired` is none, and leaves the reason as it is. */
export async function recordWorkspaceMail(
  database: Queryable,
  workspaceIds: string[],
  { id, kind, address }: WorkspaceMail,
  result: SendResult | "expired",
): Promise<void> {
  const isExpired = result === "expired";
  const [state, reason] = isExpired ? ["expired", null] : [result.outcome, toReason(result)];
  await database.run(
    sql`insert into workspace_mails as known
        (workspace_id, id, kind, address, state, reason, attempts, created_at, updated_at)
      select workspace_id, ${uuid(id)}, ${text(kind)}, ${text(address)}, ${text(state)}, ${text(reason)},
        ${integer(isExpired ? 0 : 1)}, ${NOW_MS}, ${NOW_MS}
      from unnest(${uuids(workspaceIds)}) as workspace_id order by workspace_id
      on conflict (workspace_id, id) do update set state = excluded.state, updated_at = excluded.updated_at,
        attempts = known.attempts + excluded.attempts,
        reason = ${isExpired ? sql`known.reason` : sql`excluded.reason`}`,
  );
}

interface StoredWorkspaceMail {
  mailId: string;
  kind: WorkspaceMailKind;
  address: string;
  state: SendResult["outcome"] | "expired";
  reason: string | null;
  attempts: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
}

/** Returns the next mails of a workspace that belong to no organization, newest first. */
export function selectWorkspaceMails(
  database: Queryable,
  workspaceId: string,
  { state, before, limit }: { state: string | undefined; before: string | undefined; limit: number },
): Promise<StoredWorkspaceMail[]> {
  return database.run(
    sql<StoredWorkspaceMail>`select id as "mailId", kind, address, state, reason, attempts, created_at as "createdAt",
        updated_at as "updatedAt"
      from workspace_mails where workspace_id = ${uuid(workspaceId)}
        ${state === undefined ? EMPTY : sql`and state = ${text(state)}`}
        ${before === undefined ? EMPTY : sql`and id < ${uuid(before)}`}
      order by id desc limit ${integer(limit)}`,
  );
}

/** Returns the next mails that existed at the acceptance of a deletion, by ID, with the text that may name users. */
export function scanWorkspaceMails(
  database: Queryable,
  { workspaceId, accepted }: { workspaceId: string; accepted: Moment },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ id: string; text: string }[]> {
  return database.run(
    sql<{ id: string; text: string }>`select id, json_build_object('address', address, 'reason', reason)::text as text
      from workspace_mails where workspace_id = ${uuid(workspaceId)}
        and ${existedAt({ writtenAt: "created_at" }, accepted)}
        ${after === undefined ? EMPTY : sql`and id > ${uuid(after)}`}
      order by id limit ${integer(limit)}`,
  );
}

/** Deletes mails of a workspace. Returns how many there were. */
export async function deleteWorkspaceMails(database: Queryable, workspaceId: string, ids: string[]): Promise<number> {
  const deleted = await database.run(
    sql`delete from workspace_mails where workspace_id = ${uuid(workspaceId)} and id = any(${uuids(ids)}) returning id`,
  );
  return deleted.length;
}

/** Deletes up to `limit` mails that are older than the retention. Returns how many. */
export async function deleteOldWorkspaceMails(database: Queryable, keptMs: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from workspace_mails where (workspace_id, id) in (
        select workspace_id, id from workspace_mails where created_at < ${NOW_MS} - ${bigint(keptMs)}
        order by created_at limit ${integer(limit)}
      ) returning id`,
  );
  return deleted.length;
}
