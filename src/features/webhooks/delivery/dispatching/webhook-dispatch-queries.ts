import type { OrganizationKey } from "../../../../database/keys.ts";
import { bigint, bigints, integer, type Sql, sql, texts, uuid, uuids } from "../../../../database/sql.ts";
import type { Queryable } from "../../../../database/statement.ts";
import { NOW_MS } from "../../../../database/time.ts";
import type {
  CrossTenantScope,
  InTransaction,
  OrganizationScope,
  StoredOrganization,
} from "../../../tenancy/organization-scope.ts";
import { buildKeyDigits } from "../../../tenancy/tenancy-queries.ts";
import type { WebhookConfigRow } from "../../config/webhook-config.ts";
import type { WebhookEvent } from "../../payloads/event.ts";
import type { MessageSubject } from "../message.ts";

/** Returns the IDs of the workspaces in which webhooks are enabled. */
export async function selectWebhookWorkspaces(database: Queryable): Promise<string[]> {
  const rows = await database.run(
    sql<{ id: string }>`select workspace_id as id from webhook_configs
      where (basic->>'useWebhookService')::boolean or (advanced->>'isEnabled')::boolean`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the keys of the workspaces' organizations that have events of which no messages were written. */
export async function selectUndispatched(
  scope: CrossTenantScope,
  workspaceIds: readonly string[],
): Promise<OrganizationKey[]> {
  const rows = await scope.run(
    sql<{ key: OrganizationKey }>`select ${buildKeyDigits(sql`event_positions.organization_key`)} as key
      from event_positions
      join organizations on organizations.organization_key = event_positions.organization_key
      left join webhook_dispatches on webhook_dispatches.organization_key = event_positions.organization_key
      where organizations.workspace_id = any(${uuids(workspaceIds)})
        and event_positions.position > coalesce(webhook_dispatches.position, 0)`,
  );
  return rows.map(({ key }) => key);
}

export interface DispatchedOrganization {
  workspaceId: string;
  organizationId: string;
}

export async function selectOrganization(scope: StoredOrganization): Promise<DispatchedOrganization | undefined> {
  const [row] = await scope.run(
    sql<DispatchedOrganization>`select workspace_id as "workspaceId", organization_id as "organizationId"
      from organizations where organization_key = ${uuid(scope.key)}`,
  );
  return row;
}

/** Locks the position until which messages were written, so that only one process goes on from it. */
export async function lockDispatch(scope: InTransaction<OrganizationScope>): Promise<number> {
  const isOrganization = sql`organization_key = ${uuid(scope.key)}`;
  const select = sql<{ position: number }>`select position from webhook_dispatches where ${isOrganization} for update`;
  const [known] = await scope.run(select);
  if (known) return known.position;
  await scope.run(
    sql`insert into webhook_dispatches (organization_key, position) values (${uuid(scope.key)}, 0)
      on conflict (organization_key) do nothing`,
  );
  const [made] = await scope.run(select);
  return made?.position ?? 0;
}

interface UndispatchedEvent extends Omit<WebhookEvent, "organizationId"> {
  position: number;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/**
 * Reads the next events after a position, without those that repeat another one for a single user. Returns them with
 * the position until which there are no others.
 */
export async function selectNextEvents(
  scope: OrganizationScope,
  after: number,
  limit: number,
): Promise<{ events: UndispatchedEvent[]; until: number }> {
  const organization = uuid(scope.key);
  const [{ events, last } = { events: [], last: after }] = await scope.run(
    sql<{ events: UndispatchedEvent[]; last: number }>`select
      coalesce((select event_positions.position from event_positions
        where event_positions.organization_key = ${organization}), 0) as last,
      coalesce((select json_agg(json_build_object('position', next_events.position, 'kind', next_events.kind,
          'documentId', next_events.document_id, 'timestamp', next_events.created_at, 'subject', next_events.subject,
          'details', next_events.details, 'userId', next_events.user_id) order by next_events.position)
        from (
          select events.position, events.kind, events.document_id, events.created_at, events.subject, events.details,
            events.user_id
          from events
          where events.organization_key = ${organization} and events.position > ${bigint(after)}
            and events.audience <> 'user'
          order by events.position limit ${integer(limit)}
        ) as next_events), '[]') as events`,
  );
  return { events, until: events.length < limit ? last : (events.at(-1)?.position ?? last) };
}

export interface NewMessage {
  id: string;
  target: string;
  position: number;
  event: MessageSubject;
  /**
   * Time of the event, in milliseconds since the epoch; without it, that of writing. A deletion of user data covers the
   * messages about earlier events, also if they are written after it was accepted.
   */
  createdAt?: number;
}

/** Writes messages whose first attempt is due at once. */
export async function insertMessages(scope: OrganizationScope, messages: readonly NewMessage[]): Promise<void> {
  await scope.run(buildInsert(scope, messages));
}

/** Writes the messages of the events up to a position, and that they are written. */
export async function insertDispatched(
  scope: OrganizationScope,
  messages: readonly NewMessage[],
  position: number,
): Promise<void> {
  const advance = sql`update webhook_dispatches set position = ${bigint(position)}
    where organization_key = ${uuid(scope.key)}`;
  await scope.run(messages.length === 0 ? advance : sql`with advanced as (${advance}) ${buildInsert(scope, messages)}`);
}

function buildInsert({ key, workspace }: OrganizationScope, messages: readonly NewMessage[]): Sql {
  return sql`insert into webhook_messages (organization_key, id, workspace_id, target, document_id, position, event,
      created_at, next_at, status, failures, attempts)
    select ${uuid(key)}, id, ${uuid(workspace.id)}, target, document_id, position, event::json,
      coalesce(created_at, ${NOW_MS}), ${NOW_MS}, 'pending', 0, '[]'
    from unnest(${uuids(messages.map(({ id }) => id))}, ${texts(messages.map(({ target }) => target))},
      ${texts(messages.map(({ event }) => event.documentId))},
      ${bigints(messages.map(({ position }) => position))},
      ${bigints(messages.map(({ createdAt = null }) => createdAt))},
      ${texts(messages.map(({ event: { documentId: _, ...event } }) => JSON.stringify(event)))})
      as input (id, target, document_id, position, created_at, event)`;
}

interface Webhooks extends Omit<WebhookConfigRow, "authToken"> {
  /** Those that are enabled. */
  endpoints: ReceivingEndpoint[];
}

interface ReceivingEndpoint {
  id: string;
  /** EndpointSettings as JSON text. */
  settings: string;
  activeSince: number;
}

/** Returns the webhook configuration of a workspace with its endpoints; undefined before the first update. */
export async function selectWebhooks(database: Queryable, workspaceId: string): Promise<Webhooks | undefined> {
  const [row] = await database.run(
    sql<Webhooks>`select basic::text as basic, advanced::text as advanced, basic_since as "basicSince",
        advanced_since as "advancedSince", coalesce((
          select json_agg(
            json_build_object('id', id, 'settings', settings::text, 'activeSince', active_since) order by id)
          from webhook_endpoints endpoint
          where endpoint.workspace_id = ${uuid(workspaceId)} and not endpoint.disabled
        ), '[]') as endpoints
      from webhook_configs where workspace_id = ${uuid(workspaceId)}`,
  );
  return row;
}
