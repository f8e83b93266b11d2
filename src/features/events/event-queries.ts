import type { LoggedEvent } from "../../contract/event-reading.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, EMPTY, integer, oneRow, type Sql, sql, text, texts, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { holdsContext } from "../access/access-context-queries.ts";
import {
  type AccessOrganization,
  type AccessScope,
  type AccessUser,
  buildUserId,
  hasOrganizationGrant,
} from "../access/access-queries.ts";
import { isInReadableDocument } from "../access/record-document-queries.ts";
import { type EventKind, getKindsAnywhere } from "../event-log/event.ts";
import type { CrossTenantScope, OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, KEY_DIGITS } from "../tenancy/tenancy-queries.ts";
import { EVENTS_CHANNEL } from "./channel.ts";
import type { EventScope } from "./schema.ts";

/** Number of positions that a statement looks through, however few of them match. */
const SCANNED_POSITIONS = 5_000;

/** Condition that an event is also for readers of documents: it is about the whole inbox of its user, or for all. */
const IS_FOR_ANY_READER = sql`(document_id is null and audience in ('user', 'everyone'))`;

/** Condition that an event says that a document was deleted, which its readers get at once. */
const IS_OF_DELETION = sql`events.kind = 'document.delete'`;

export interface EventFilters extends Omit<EventScope, "organizationId"> {
  /** The user who reads; undefined for a backend. */
  seenBy: AccessUser | undefined;
}

export interface LogState {
  block: AccessBlock | null;
  /** The last position; 0 in an empty log. */
  last: number;
  /** The last position whose event was deleted because of its age; 0 if none was. */
  expiredUntil: number;
}

/** Reads where the log of an organization ends, and until where it is no longer kept. */
export async function selectLogState(scope: OrganizationScope, documentIds: readonly string[]): Promise<LogState> {
  return scope.run(
    oneRow(
      sql<LogState>`select ${buildAccessBlock(scope.key, documentIds)} as block,
          coalesce(max(event_positions.position), 0) as last,
          coalesce(max(event_positions.expired_until), 0) as "expiredUntil"
        from event_positions where event_positions.organization_key = ${uuid(scope.key)}`,
    ),
  );
}

export interface FoundEvent {
  position: number;
  kind: EventKind;
  documentId: string | null;
  /** Milliseconds since the epoch. */
  timestamp: number;
  subject: Readonly<Record<string, string | number>>;
}

/**
 * Reads the next events after a position, at most `limit`, until the last position of the log. Returns them with the
 * position until which there are no others.
 */
export async function selectEvents(
  scope: AccessOrganization,
  { kinds, seenBy, ...filters }: EventFilters,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<{ events: FoundEvent[]; until: number }> {
  const until = Math.min(last, after + SCANNED_POSITIONS);
  const events = await scope.run(
    sql<FoundEvent>`select position, kind, document_id as "documentId", created_at as timestamp, subject
      from events
      where organization_key = ${uuid(scope.key)} and position > ${bigint(after)} and position <= ${bigint(until)}
        ${isFollowed(filters)}
        ${kinds === undefined ? EMPTY : sql`and kind = any(${texts(kinds)})`}
        and ${seenBy ? isForUser({ organization: scope, user: seenBy }) : sql`audience <> 'user'`}
      order by position limit ${integer(limit)}`,
  );
  return { events, until: events.length < limit ? until : (events.at(-1)?.position ?? until) };
}

/** Returns the condition that an event is about a document that is followed, or of a kind that is followed anywhere. */
function isFollowed({ documentIds, ...anywhere }: Omit<EventFilters, "kinds" | "seenBy">): Sql {
  const kinds = getKindsAnywhere(anywhere);
  if (documentIds.length === 0 && kinds.length === 0) return EMPTY;
  const isOfDocument = sql`document_id = any(${texts(documentIds)})`;
  const orOfKind = kinds.length > 0 ? sql`or kind = any(${texts(kinds)})` : EMPTY;
  return sql`and (${isOfDocument} or ${IS_FOR_ANY_READER} ${orOfKind})`;
}

/** Returns the condition that a user may get the event. */
function isForUser(scope: AccessScope): Sql {
  return sql`(audience in ('document', 'everyone') or (audience = 'user' and user_id = ${buildUserId(scope)})
      or (audience = 'organization' and ${hasOrganizationGrant(scope)}))
    and (document_id is null or ${isInReadableDocument(scope, sql`events.document_id`, IS_OF_DELETION)})
    and ${holdsContext(scope, "events")}`;
}

/** Maximum number of events that are read at once for all readers. */
export const MAX_NEW_EVENTS = 1_000;

/** Reads the next events after a position, for all audiences, and the last position of the log. */
export async function selectNewEvents(
  scope: StoredOrganization,
  after: number,
): Promise<{ events: LoggedEvent[]; last: number }> {
  const organization = uuid(scope.key);
  return scope.run(
    oneRow(
      sql<{ events: LoggedEvent[]; last: number }>`select
        coalesce((select event_positions.position from event_positions
          where event_positions.organization_key = ${organization}), 0) as last,
        coalesce((select json_agg(json_build_object('position', new_events.position, 'kind', new_events.kind,
            'documentId', new_events.document_id, 'timestamp', new_events.created_at, 'subject', new_events.subject,
            'audience', new_events.audience, 'userId', new_events.user_id,
            'hasContext', new_events.access_fields is not null)
            order by new_events.position)
          from (
            select events.position, events.kind, events.document_id, events.created_at, events.subject,
              events.audience, events.user_id, events.access_fields
            from events
            where events.organization_key = ${organization} and events.position > ${bigint(after)}
            order by events.position limit ${integer(MAX_NEW_EVENTS)}
          ) as new_events), '[]') as events`,
    ),
  );
}

/** Reads the last positions of organizations, by their keys. */
export async function selectLogPositions(
  scope: CrossTenantScope,
  organizationKeys: readonly OrganizationKey[],
): Promise<Map<OrganizationKey, number>> {
  const rows = await scope.run(
    sql<{ key: OrganizationKey; position: number }>`select ${KEY_DIGITS} as key, position
      from event_positions where organization_key = any(${uuids(organizationKeys)})`,
  );
  return new Map(rows.map(({ key, position }) => [key, position]));
}

/** Returns the workspaces of the organizations whose logs end before a time. */
export async function selectEndingLogs(
  scope: CrossTenantScope,
  organizationKeys: readonly OrganizationKey[],
  until: number,
): Promise<string[]> {
  const rows = await scope.run(
    sql<{ id: string }>`select distinct workspaces.id from organizations
      join workspaces on workspaces.id = organizations.workspace_id
      where organizations.organization_key = any(${uuids(organizationKeys)}) and organizations.deleted_at is null
        and (workspaces.events_until is null or workspaces.events_until < ${bigint(until)})`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the organizations, of these, in which a permission has ended within the last seconds. */
export async function selectWithExpired(
  scope: CrossTenantScope,
  organizationKeys: readonly OrganizationKey[],
): Promise<OrganizationKey[]> {
  const rows = await scope.run(
    sql<{ key: OrganizationKey }>`select ${KEY_DIGITS} as key from grants
      where organization_key = any(${uuids(organizationKeys)})
        and expires_at > statement_timestamp() - interval '5 seconds' and expires_at <= statement_timestamp()
      group by organization_key`,
  );
  return rows.map(({ key }) => key);
}

/** Sends a payload to all processes of the database. */
export async function notifyProcesses(database: Queryable, payload: string): Promise<void> {
  await database.run(sql`select pg_notify(${text(EVENTS_CHANNEL)}, ${text(payload)})`);
}
