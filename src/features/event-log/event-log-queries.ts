import type { OrganizationKey } from "../../database/keys.ts";
import {
  bigint,
  bigints,
  integer,
  oneRow,
  type Parameter,
  type Sql,
  sql,
  text,
  texts,
  uuid,
} from "../../database/sql.ts";
import { beforeCommit, type Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { buildPurgeOfLockedRows, existedAt, purging } from "../purge/purge-queries.ts";
import type { DeletedUsers } from "../purge/user-data-kind.ts";
import {
  type CrossTenantScope,
  type InTransaction,
  type StoredOrganization,
  storedOrganization,
} from "../tenancy/organization-scope.ts";
import { CHUNK_ROWS } from "../tenancy/record-queries.ts";
import { fromOrganization, KEY_DIGITS } from "../tenancy/tenancy-queries.ts";
import { notifyChange } from "../workspaces/workspace-queries.ts";
import type { EventKind, NewEvent } from "./event.ts";

/** Time until which the event log of a workspace with webhooks is written: the year 9999. */
export const FOREVER = Date.UTC(9999, 0);

/** Prefix of the topics that a database emits; the rest is the key of the organization. */
export const EVENTS_TOPIC = "events ";

/**
 * Writes the events of a transaction right before its commit: they take the next positions of their organizations,
 * which stay locked until then.
 */
export const writeEvents = beforeCommit<NewEvent & { organizationKey: OrganizationKey }>({
  *getTopics({ organizationKey }) {
    yield EVENTS_TOPIC + organizationKey;
  },
  async run(transaction, recorded) {
    const organizations = [...Map.groupBy(recorded, ({ organizationKey }) => organizationKey)];
    for (const [organizationKey, events] of organizations.sort(([one], [other]) => (one < other ? -1 : 1))) {
      const scope = storedOrganization(transaction, organizationKey);
      const last = await takePositions(scope, events.length);
      // The organization may have been purged meanwhile.
      if (last === undefined) continue;
      const positioned = events.map((event, index) => ({ ...event, position: last - events.length + 1 + index }));
      for (let from = 0; from < events.length; from += CHUNK_ROWS) {
        await insertEvents(scope, positioned.slice(from, from + CHUNK_ROWS));
      }
    }
  },
});

/** Takes positions in the log of an organization. Returns the last one if the organization exists. */
async function takePositions(scope: StoredOrganization, count: number): Promise<number | undefined> {
  const [row] = await scope.run(
    sql<{ position: number }>`insert into event_positions as known (organization_key, position)
      select organization_key, ${integer(count)} from organizations where organization_key = ${uuid(scope.key)}
      on conflict (organization_key) do update set position = known.position + excluded.position
      returning position`,
  );
  return row?.position;
}

async function insertEvents(
  scope: StoredOrganization,
  events: readonly (NewEvent & { position: number })[],
): Promise<void> {
  const input = sql`unnest(${bigints(events.map(({ position }) => position))},
        ${texts(events.map(({ kind }) => kind))}, ${texts(events.map(({ documentId }) => documentId ?? null))},
        ${texts(events.map(({ audience = "document" }) => audience))},
        ${texts(events.map(({ userId }) => userId ?? null))},
        ${texts(events.map(({ accessFields }) => (accessFields ? JSON.stringify(accessFields) : null)))},
        ${texts(events.map(({ subject }) => JSON.stringify(subject)))},
        ${texts(events.map(({ details }) => (details ? JSON.stringify(details) : null)))})
        as input (position, kind, document_id, audience, user_id, access_fields, subject, details)`;
  await scope.run(
    sql`insert into events (organization_key, position, created_at, kind, document_id, audience, user_id,
        access_fields, subject, details)
      select organization_key, position, ${NOW_MS}, kind, document_id, audience, user_id, access_fields::jsonb,
        subject::json, details::json
      ${fromOrganization(scope.key, input)}`,
  );
}

/**
 * Returns the last parts of a statement that writes records of one organization: an event of the kind for each row of
 * `written`, which has the document, ID and place in the order (`sequence`) of the records. They lock the position of
 * the organization after everything that `written` locks.
 */
export function writtenEvents(organizationKey: OrganizationKey, kind: EventKind): Sql {
  const total = sql`(select count(*) as count from written) as total`;
  const input = sql`(
      select document_id, id, row_number() over (order by sequence desc) - 1 as later_count from written
    ) as input cross join taken`;
  return sql`taken as (
      insert into event_positions as known (organization_key, position)
      select organization_key, count ${fromOrganization(organizationKey, total)} where count > 0
      on conflict (organization_key) do update set position = known.position + excluded.position
      returning position
    ), event as (
      insert into events (organization_key, position, created_at, kind, document_id, audience, subject)
      select organization_key, position - later_count, ${NOW_MS}, ${text(kind)}, document_id, 'document',
        json_build_object('id', id)
      ${fromOrganization(organizationKey, input)}
    )`;
}

/** Returns the condition that somebody listens to the workspace of an organization, by the key of the organization. */
export function isOfListenedWorkspace(organization: Parameter | Sql): Sql {
  return sql`exists (
    select from organizations listened join workspaces on workspaces.id = listened.workspace_id
    where listened.organization_key = ${organization} and listened.deleted_at is null
      and workspaces.events_until > ${NOW_MS})`;
}

/** Reads the last position of an organization; 0 in an empty log. */
export async function selectPosition(scope: StoredOrganization): Promise<number> {
  const { position } = await scope.run(
    oneRow(
      sql<{ position: number }>`select coalesce((select event_positions.position from event_positions
        where event_positions.organization_key = ${uuid(scope.key)}), 0) as position`,
    ),
  );
  return position;
}

/** Extends the event log of a workspace until a time. Returns the time since which it has been written. */
export async function extendEventLog(transaction: Queryable, workspaceId: string, until: number): Promise<number> {
  const isWorkspace = sql`id = ${uuid(workspaceId)}`;
  await transaction.run(
    sql`update workspaces set events_since = ${NOW_MS}
      where ${isWorkspace} and (events_until is null or events_until <= ${NOW_MS})`,
  );
  await transaction.run(
    sql`update workspaces set events_until = ${bigint(until)}
      where ${isWorkspace} and (events_until is null or events_until < ${bigint(until)})`,
  );
  await notifyChange(transaction);
  const [row] = await transaction.run(
    sql<{ since: number }>`select events_since as since from workspaces where ${isWorkspace}`,
  );
  return row?.since ?? 0;
}

/** Ends the event log of a workspace at a time, unless it ends earlier. */
export async function endEventLog(transaction: Queryable, workspaceId: string, until: number): Promise<void> {
  await transaction.run(
    sql`update workspaces set events_until = ${bigint(until)}
      where id = ${uuid(workspaceId)} and events_until > ${bigint(until)}`,
  );
  await notifyChange(transaction);
}

/**
 * Starts new event logs for all workspaces in a restored database, whose positions may be assigned a second time: the
 * earlier cursors are rejected. Webhooks continue.
 */
export async function restartEventLogs(transaction: Queryable): Promise<void> {
  await transaction.run(
    sql`update workspaces set events_since = ${NOW_MS},
        events_until = case when events_until = ${bigint(FOREVER)} then events_until end
      where events_until is not null`,
  );
}

/** Deletes up to `limit` of the oldest events that were written before the retention. Returns how many. */
export async function deleteOldEvents(scope: CrossTenantScope, retentionMs: number, limit: number): Promise<number> {
  const isOld: Sql = sql`created_at < ${NOW_MS} - ${bigint(retentionMs)}`;
  const old = await scope.run(
    sql<{ key: OrganizationKey; last: number }>`select key, max(position) as last from (
        select ${KEY_DIGITS} as key, position
        from events where ${isOld} order by created_at limit ${integer(limit)}
      ) as oldest group by key`,
  );
  let count = 0;
  for (const { key, last } of old) {
    const [row] = await scope.run(
      purging(
        (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
          select ctid as row_id from events
          where organization_key = ${uuid(key)} and position <= ${bigint(last)} and ${isOld}
          order by position limit ${integer(limit)} for update skip locked
        ), purged as (${buildPurgeOfLockedRows("events", key, isDistributed)} returning position
        ), expired as (
          update event_positions
          set expired_until = greatest(expired_until, (select max(purged.position) from purged))
          where organization_key = ${uuid(key)}
        )
        select count(*) as count from purged`,
      ),
    );
    count += row?.count ?? 0;
  }
  return count;
}

/** Condition that an event is for its user alone, or about the user. */
const CONCERNS_USER = sql`(audience = 'user' or subject->>'userId' = user_id)`;

/** The events that concern only their user. */
export const CONCERNING_ROWS = { table: "events", writtenAt: "created_at", condition: CONCERNS_USER };

/** The events that their user has caused. */
export const CAUSED_ROWS = { table: "events", writtenAt: "created_at", condition: sql`${CONCERNS_USER} is not true` };

/** Removes the users from up to `limit` events of which they are only the acting users. Returns how many. */
export async function removeActors(
  scope: InTransaction<StoredOrganization>,
  { userIds, accepted }: DeletedUsers,
  limit: number,
): Promise<number> {
  const isOfOrganization = sql`organization_key = ${uuid(scope.key)}`;
  const found = await scope.run(
    sql<{ position: number }>`select position from events
      where ${isOfOrganization} and user_id = any(${texts(userIds)}) and ${CAUSED_ROWS.condition}
        and ${existedAt(CAUSED_ROWS, accepted)}
      order by position limit ${integer(limit)} for update`,
  );
  await scope.run(
    sql`update events set user_id = null
      where ${isOfOrganization} and position = any(${bigints(found.map(({ position }) => position))})`,
  );
  return found.length;
}

/** Reads the state of the event log of an organization's workspace. Undefined if nobody has listened. */
export async function selectEventLog(scope: StoredOrganization): Promise<{ since: number; until: number } | undefined> {
  const [row] = await scope.run(
    sql<{ since: number; until: number }>`select workspaces.events_since as since, workspaces.events_until as until
      from organizations join workspaces on workspaces.id = organizations.workspace_id
      where organizations.organization_key = ${uuid(scope.key)} and organizations.deleted_at is null
        and workspaces.events_until is not null`,
  );
  return row;
}
