import type { OrganizationKey } from "../../../../database/keys.ts";
import { bigint, integer, sql, text, texts, uuid } from "../../../../database/sql.ts";
import type { Queryable } from "../../../../database/statement.ts";
import { AHEAD_MS, NOW_MS } from "../../../../database/time.ts";
import type { CrossTenantScope, StoredOrganization } from "../../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../../tenancy/tenancy-queries.ts";
import type { Attempt, MessageSubject } from "../message.ts";

/** Time for which a process may send the messages of a target without renewing its lease. */
const LEASE_MS = 30_000;

export interface DueTarget {
  target: string;
  workspaceId: string;
}

/** Number of messages that a statement reads to find targets. */
const MESSAGES_PER_PAGE = 100;

/**
 * Returns the targets of all organizations that have messages that are due. A statement reads the earliest messages of
 * the next targets, and the following one skips the rest of the last target, so a backlog costs no more than a page.
 */
export async function selectDueTargets(scope: CrossTenantScope): Promise<DueTarget[]> {
  const due: DueTarget[] = [];
  let last: string | undefined = "";
  while (last !== undefined) {
    const messages: (DueTarget & { isDue: boolean })[] = await scope.run(
      sql<DueTarget & { isDue: boolean }>`select target, workspace_id as "workspaceId", next_at <= ${NOW_MS} as "isDue"
        from webhook_messages where target > ${text(last)} and next_at is not null
        order by target, next_at limit ${integer(MESSAGES_PER_PAGE)}`,
    );
    for (const { isDue, ...target } of messages) {
      if (isDue && due.at(-1)?.target !== target.target) due.push(target);
    }
    last = messages.length < MESSAGES_PER_PAGE ? undefined : messages.at(-1)?.target;
  }
  return due;
}

/** Takes or renews the lease of a target. Returns whether this process holds it now. */
export async function takeLease(database: Queryable, target: string, holder: string): Promise<boolean> {
  const taken = await database.run(
    sql<{ target: string }>`insert into webhook_leases as known (target, holder, ends_at)
      select ${text(target)}, ${uuid(holder)}, ${NOW_MS} + ${bigint(LEASE_MS)}
      on conflict (target) do update set holder = excluded.holder, ends_at = excluded.ends_at
        where known.holder = excluded.holder or known.ends_at < excluded.ends_at - ${bigint(LEASE_MS)}
          or known.ends_at > excluded.ends_at + ${bigint(AHEAD_MS)}
      returning target`,
  );
  return taken.length > 0;
}

export async function releaseLease(database: Queryable, target: string, holder: string): Promise<void> {
  await database.run(sql`delete from webhook_leases where target = ${text(target)} and holder = ${uuid(holder)}`);
}

export interface DueMessage {
  organizationKey: OrganizationKey;
  id: string;
  position: number;
  event: MessageSubject;
  /** Since when it is due, in milliseconds since the epoch. It changes when the message is to be sent again. */
  nextAt: number;
  failures: number;
  attempts: Attempt[];
}

/**
 * Returns the messages of a target that are due, of all organizations, in the order in which they are sent, without
 * those of the excluded documents: each is the key of the organization, a space, and the ID of the document, if any.
 */
export async function selectDueMessages(
  scope: CrossTenantScope,
  target: string,
  { excluded, limit }: { excluded: readonly string[]; limit: number },
): Promise<DueMessage[]> {
  const rows = await scope.run(
    sql<DueMessage & { documentId: string | null }>`select ${KEY_DIGITS} as "organizationKey", id, position, event,
        document_id as "documentId", next_at as "nextAt", failures, attempts
      from webhook_messages where target = ${text(target)} and next_at <= ${NOW_MS}
        and ${KEY_DIGITS} || ' ' || coalesce(document_id, '') <> all(${texts(excluded)})
      order by next_at, position limit ${integer(limit)}`,
  );
  return rows.map(({ documentId, event, ...row }) => ({ ...row, event: { ...event, documentId } }));
}

export interface AttemptResult extends Pick<DueMessage, "id" | "nextAt"> {
  status: "pending" | "delivered" | "failed" | "canceled";
  failures: number;
  /** Delay before the next attempt; null if none follows. */
  delayMs: number | null;
  attempts: readonly Attempt[];
}

/** Records the attempts of a message and, unless it was canceled or is to be sent again meanwhile, their result. */
export async function recordAttempt(
  scope: StoredOrganization,
  { id, nextAt, status, failures, delayMs, attempts }: AttemptResult,
): Promise<void> {
  await scope.run(
    sql`update webhook_messages set attempts = ${text(JSON.stringify(attempts))}::json,
        status = case when next_at = due_at then ${text(status)} else status end,
        failures = case when next_at = due_at then ${integer(failures)} else failures end,
        next_at = case when next_at = due_at then now + ${bigint(delayMs)} else next_at end
      from (select ${NOW_MS} as now, ${bigint(nextAt)} as due_at) as attempted
      where organization_key = ${uuid(scope.key)} and id = ${uuid(id)}`,
  );
}

/**
 * Gives up the pending messages of all organizations to a target that is disabled or gone. Locks rows in key order to
 * avoid deadlocks.
 */
export async function cancelMessages(scope: CrossTenantScope, target: string): Promise<void> {
  const organizations = await scope.run(
    sql<{ key: OrganizationKey }>`select distinct ${KEY_DIGITS} as key
      from webhook_messages where target = ${text(target)} and next_at is not null`,
  );
  for (const { key } of organizations) {
    await scope.run(
      sql`with pending as (
          select id from webhook_messages
          where organization_key = ${uuid(key)} and target = ${text(target)} and next_at is not null
          order by id for update
        )
        update webhook_messages set status = 'canceled', next_at = null from pending
        where organization_key = ${uuid(key)} and webhook_messages.id = pending.id`,
    );
  }
}

export interface EnabledEndpoint {
  /** EndpointSettings as JSON text. */
  settings: string;
  secret: Buffer;
  /** Null unless it is still valid. */
  previousSecret: Buffer | null;
  failingSince: number | null;
}

/** Returns an enabled endpoint with its secrets. */
export async function selectEnabledEndpoint(
  database: Queryable,
  workspaceId: string,
  id: string,
): Promise<EnabledEndpoint | undefined> {
  const [row] = await database.run(
    sql<EnabledEndpoint>`select settings::text as settings, secret,
        case when previous_until > ${NOW_MS} then previous_secret end as "previousSecret",
        failing_since as "failingSince"
      from webhook_endpoints where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)} and not disabled`,
  );
  return row;
}

/** Records that an attempt has succeeded after others that failed. */
export async function endFailing(database: Queryable, id: string): Promise<void> {
  await database.run(sql`update webhook_endpoints set failing_since = null where id = ${uuid(id)}`);
}

/** Time without attempts after which earlier failures do not count. The longest delay of a repetition is 10 hours. */
const BREAK_MS = 24 * 60 * 60 * 1000;
/** Interval at which the time of the last failure is written. */
const FAILURE_RECORDED_MS = 60 * 60 * 1000;

/**
 * Records that an attempt has failed, and disables the endpoint if all have failed for a time in which there was no
 * long break between them. Returns whether it has disabled it.
 */
export async function recordFailing(transaction: Queryable, id: string, disabledAfterMs: number): Promise<boolean> {
  await transaction.run(
    sql`update webhook_endpoints set failing_since = ${NOW_MS}
      where id = ${uuid(id)} and (failing_since is null or last_failed_at < ${NOW_MS} - ${bigint(BREAK_MS)})`,
  );
  await transaction.run(
    sql`update webhook_endpoints set last_failed_at = ${NOW_MS}
      where id = ${uuid(id)}
        and (last_failed_at is null or last_failed_at < ${NOW_MS} - ${bigint(FAILURE_RECORDED_MS)})`,
  );
  const disabled = await transaction.run(
    sql`update webhook_endpoints set disabled = true, updated_at = ${NOW_MS}
      where id = ${uuid(id)} and not disabled and failing_since <= ${NOW_MS} - ${bigint(disabledAfterMs)}
      returning id`,
  );
  return disabled.length > 0;
}
