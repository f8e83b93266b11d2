import type { EventKind, NewEvent } from "../event-log/event.ts";
import { hasListeners, type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { type Delivered, type DeliveredMatch, selectDelivered } from "./recipient-queries.ts";

/** Maximum number of notifications, and of recipients of one notification, that get an event each. */
const MAX_REPORTED = 500;

/** A change of inboxes that a transaction makes. */
interface InboxChange {
  /** The notifications concerned. */
  match: DeliveredMatch;
  /** The only user whose inbox changes; undefined if all do. */
  userId?: string | undefined;
  /** IDs of the notifications that are added or change. Of the others, only the read state changes. */
  changedIds?: ReadonlySet<string>;
}

/** Inboxes before or after a change, by the IDs of the notifications. */
type Inboxes = ReadonlyMap<string, Delivered>;
const NOT_COMPARED: Inboxes = new Map();

/**
 * Reads the inboxes that a change is about to alter, for `recordInboxEvents`. Runs no statement if nobody listens to
 * the workspace, or if the change is reported as one event.
 */
export async function readInboxes(
  scope: OrganizationScope<ListenedWorkspace>,
  { match, userId }: InboxChange,
): Promise<Inboxes> {
  const count = getCount(match);
  if (count === 0 || count > MAX_REPORTED || !hasListeners(scope.workspace)) return NOT_COMPARED;
  return selectDelivered(scope, match, { userId, limit: MAX_REPORTED + 1 });
}

/**
 * Records the events of a change of inboxes, which the transaction has made: for each user whose inbox or archive
 * differs from that before, and for backends. A notification that leaves both is deleted there. More than 500 changes
 * are reported as one event without an ID.
 */
export async function recordInboxEvents(
  scope: OrganizationScope<ListenedWorkspace>,
  change: InboxChange,
  before: Inboxes,
): Promise<void> {
  if (getCount(change.match) > MAX_REPORTED) return recordEvents(scope, buildCommonEvents(change));
  const after = await readInboxes(scope, change);
  await recordEvents(
    scope,
    [...new Set([...before.keys(), ...after.keys()])].flatMap((id) =>
      getEvents({ ...change, id }, before.get(id), after.get(id)),
    ),
  );
}

function getCount(match: DeliveredMatch): number {
  return "ids" in match ? match.ids.length : match.sequences.length;
}

/** Returns the events that say that many notifications have changed: of the user's inbox or of all, and of backends. */
function buildCommonEvents({ userId }: InboxChange): NewEvent[] {
  const event = { kind: "notification.update" as const, documentId: undefined, subject: {} };
  if (userId === undefined) return [event];
  return [
    { ...event, audience: "user", userId },
    { ...event, audience: "backend" },
  ];
}

/** Returns the events of one notification: of the users whose inboxes have changed, then that of backends. */
function getEvents(
  { id, changedIds }: InboxChange & { id: string },
  before: Delivered | undefined,
  after: Delivered | undefined,
): NewEvent[] {
  const known = after ?? before;
  if (!known) return [];
  const event = { documentId: known.documentId, subject: { id } };
  const changesContent = changedIds?.has(id) === true;
  const changed = getUsers(before, after, changesContent);
  const hasChanged = changesContent || !before || !after || changed.length > 0;
  const own = hasChanged ? [{ ...event, kind: getKind(before, after) }] : [];
  const accessFields = known.accessFields ?? undefined;
  const inboxes = Math.max(before?.inboxes.length ?? 0, after?.inboxes.length ?? 0);
  if (inboxes > MAX_REPORTED) return own.map((each) => ({ ...each, accessFields }));
  return [
    ...changed.map(({ userId, kind }) => ({ ...event, kind, audience: "user" as const, userId, accessFields })),
    ...own.map((each) => ({ ...each, audience: "backend" as const })),
  ];
}

function getUsers(before: Delivered | undefined, after: Delivered | undefined, changesContent: boolean) {
  const earlier = getStates(before);
  const later = getStates(after);
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((userId) => {
    const [was, is] = [earlier.get(userId), later.get(userId)];
    return changesContent || was !== is ? [{ userId, kind: getKind(was, is) }] : [];
  });
}

/** Returns whether each user has read and archived the notification, as comparable texts. */
function getStates(delivered: Delivered | undefined): Map<string, string> {
  return new Map(delivered?.inboxes.map(({ userId, readAt, archivedAt }) => [userId, `${readAt} ${archivedAt}`]));
}

function getKind(before: unknown, after: unknown): EventKind {
  if (before === undefined) return "notification.add";
  return after === undefined ? "notification.delete" : "notification.update";
}
