import type { AuditAction, NewAuditEntry } from "../../contract/audit.ts";
import { newId } from "../../database/new-id.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { bigint, bigints, EMPTY, integer, sql, text, texts, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { existedAt } from "../purge/purge-queries.ts";
import type { DeletedUsers } from "../purge/user-data-kind.ts";

/** Workspace ID of the entries about sessions of the operator, which only the operator may read. */
export const EVERY_WORKSPACE = "00000000-0000-0000-0000-000000000000";

/** Adds entries in the transaction of the acts, so that an act has an entry exactly if it was committed. */
export async function insertAuditEntries(transaction: Queryable, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const timestamp = Date.now();
  const records = entries.map(({ workspaceId: _, ...entry }) => JSON.stringify({ id: newId(), timestamp, ...entry }));
  await transaction.run(
    sql`insert into audit_entries (workspace_id, created_at, action, record, record_bytes, actor_name)
      select workspace_id, created_at, action, record::json, octet_length(record), actor_name
      from unnest(${uuids(entries.map(({ workspaceId }) => workspaceId))}, ${bigints(entries.map(() => timestamp))},
          ${texts(entries.map(({ action }) => action))}, ${texts(records)},
          ${texts(entries.map(({ actor }) => actor.name))})
        as input (workspace_id, created_at, action, record, actor_name)`,
  );
}

interface Filters {
  actions?: AuditAction[] | undefined;
  actorName?: string | undefined;
  /** Milliseconds since the epoch; `to` is excluded. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Reads a page of the entries of workspaces, newest first. */
export function selectAuditEntries(
  database: Queryable,
  workspaceIds: string[],
  { actions, actorName, from, to }: Filters,
  page: { after: number[] | undefined; pageSize: number },
): Promise<PageOfRecords<null, number>> {
  return selectPageOfRecords(database, {
    source: sql`from audit_entries where workspace_id = any(${uuids(workspaceIds)})
      ${actions ? sql`and action = any(${texts(actions)})` : EMPTY}
      ${actorName === undefined ? EMPTY : sql`and actor_name = ${text(actorName)}`}
      ${from === undefined ? EMPTY : sql`and created_at >= ${bigint(from)}`}
      ${to === undefined ? EMPTY : sql`and created_at < ${bigint(to)}`}`,
    keys: ["sequence"],
    keyType: "bigint",
    order: "desc",
    extra: sql`null::text`,
    ...page,
  });
}

/** Removes users from the entries in which they act that were written until they were deleted. */
export async function redactActors(
  database: Queryable,
  { workspaceId, userIds, accepted }: { workspaceId: string } & DeletedUsers,
): Promise<void> {
  const redacted = sql`jsonb_set(record::jsonb, '{actor}', '{"type":"user","id":null,"name":null}')::text`;
  await database.run(
    sql`update audit_entries set actor_name = null, record = ${redacted}::json, record_bytes = octet_length(${redacted})
      where workspace_id = ${uuid(workspaceId)} and actor_name = any(${texts(userIds)})
        and record -> 'actor' ->> 'type' = 'user' and ${existedAt({ writtenAt: "created_at" }, accepted)}`,
  );
}

/** Deletes up to `limit` entries from before a time, in milliseconds since the epoch. Returns how many. */
export async function deleteAuditEntriesBefore(database: Queryable, time: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from audit_entries where sequence in (
        select sequence from audit_entries where created_at < ${bigint(time)}
        order by created_at limit ${integer(limit)} for update skip locked
      ) returning sequence`,
  );
  return deleted.length;
}
