import type { TSchema } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type AuthenticatedOperation, type Context, JsonText, Page } from "../../contract/operation.ts";
import { getActivities } from "../activities/get.ts";
import { getCommentAnnotations } from "../comments/annotations/get.ts";
import { getComments } from "../comments/comments/get.ts";
import { getCrdt } from "../crdt/get.ts";
import { getDocuments } from "../documents/get.ts";
import type { EventKind } from "../event-log/event.ts";
import { getLiveStates } from "../live-state/get.ts";
import { getNotifications } from "../notifications/get.ts";
import { getOrganizations } from "../organizations/get.ts";
import { getPresence } from "../presence/get.ts";
import { getRecordings } from "../recordings/get.ts";
import { getUsers } from "../users/get.ts";
import type { FoundEvent } from "./event-queries.ts";
import type { EventScope } from "./schema.ts";

/** How the records of events of a kind are read: by the operation that lists them, as the caller of the events. */
interface Source {
  operation: Pick<AuthenticatedOperation, "path" | "handle" | "response">;
  /** Field of the request with the IDs of the records; absent if a request reads one, of which `parents` has the ID. */
  list?: string;
  /** Field of a record, and of the subject of its events, with its ID. */
  id: string;
  /** Further fields of the subject that the request has. */
  parents?: readonly string[];
  /** Fields of the request if a user reads: the one with that user, and others. */
  reader?: { field: string; others: object };
  /** Whether the event says that the record is gone, and is only for callers who do not see it. */
  isGone?: true;
}

const ACTIVITIES: Source = { operation: getActivities, list: "activityIds", id: "id" };
const ANNOTATIONS: Source = { operation: getCommentAnnotations, list: "annotationIds", id: "annotationId" };
const GONE_ANNOTATIONS: Source = { ...ANNOTATIONS, isGone: true };
const COMMENTS: Source = { operation: getComments, list: "commentIds", id: "commentId", parents: ["annotationId"] };
const NOTIFICATIONS: Source = {
  operation: getNotifications,
  list: "notificationIds",
  id: "id",
  reader: { field: "userId", others: { archived: "include" } },
};
const LIVE_STATES: Source = { operation: getLiveStates, list: "liveStateDataIds", id: "liveStateDataId" };
const PRESENCE: Source = { operation: getPresence, list: "userIds", id: "userId" };
const EDITORS: Source = { operation: getCrdt, id: "editorId", parents: ["editorId"] };
const USERS: Source = { operation: getUsers, list: "userIds", id: "userId", parents: ["folderId"] };
const DOCUMENTS: Source = { operation: getDocuments, list: "documentIds", id: "id" };
const ORGANIZATIONS: Source = { operation: getOrganizations, list: "organizationIds", id: "id" };
const RECORDINGS: Source = { operation: getRecordings, list: "recordingIds", id: "annotationId" };

/** The sources of the records, by kind. Most deletions have none. */
const SOURCES: { readonly [Kind in EventKind]: Source | null } = {
  "activity.add": ACTIVITIES,
  "activity.update": ACTIVITIES,
  "activity.delete": null,
  "comment_annotation.add": ANNOTATIONS,
  "comment_annotation.update": ANNOTATIONS,
  "comment_annotation.status_change": ANNOTATIONS,
  "comment_annotation.assign": ANNOTATIONS,
  "comment_annotation.priority_change": ANNOTATIONS,
  "comment_annotation.suggestion_accept": ANNOTATIONS,
  "comment_annotation.suggestion_reject": ANNOTATIONS,
  "comment_annotation.delete": GONE_ANNOTATIONS,
  "comment_annotation.read": null,
  "comment.add": COMMENTS,
  "comment.update": COMMENTS,
  "comment.delete": null,
  "comment.reaction_add": COMMENTS,
  "comment.reaction_delete": COMMENTS,
  "recorder.done": RECORDINGS,
  "recorder.update": RECORDINGS,
  "recorder.delete": null,
  "notification.add": NOTIFICATIONS,
  "notification.update": NOTIFICATIONS,
  "notification.delete": null,
  "live_state.update": LIVE_STATES,
  "presence.update": PRESENCE,
  "presence.delete": null,
  "crdt.update_data": EDITORS,
  "crdt.versions_update": null,
  "crdt.delete": null,
  "document.update": DOCUMENTS,
  "document.delete": null,
  "user.update": USERS,
  "user.delete": null,
  "organization.update": ORGANIZATIONS,
  "user_data.deleted": null,
  "access.update": null,
};

/** Returns the schema of the response with the records of a kind; undefined if its events have none. */
export function getRecordSchema(kind: EventKind): TSchema | undefined {
  const source = SOURCES[kind];
  return source?.isGone ? undefined : source?.operation.response;
}

export interface EventWithRecord extends FoundEvent {
  /** The record as its `get` returns it to the caller; absent from a deletion. */
  record?: unknown;
}

/** Number of events whose records are read at once: most responses have few, and records may have 10 MB. */
const MAX_READ = 8;
/** Number of live states that are read at once: they may have 64 KiB. */
const MAX_STATES_READ = 16;
/** Size of the records, as JSON, past which no more are read. A client reads this much at once. */
const MAX_RECORDS_LENGTH = 1024 * 1024;

/**
 * Adds the records to events, until they are large. Returns them with the number of events that were looked at. Leaves
 * out the events of records that the caller does not see (any more): if they were deleted or hidden, an event of that
 * follows. Leaves out that event if the caller sees the record.
 */
export async function withRecords(
  context: Context,
  organizationId: string,
  events: readonly FoundEvent[],
): Promise<{ events: EventWithRecord[]; count: number }> {
  const read: EventWithRecord[] = [];
  let count = 0;
  let length = 0;
  while (count < events.length && length < MAX_RECORDS_LENGTH) {
    const next = await readTogether(context, organizationId, events.slice(count, count + MAX_READ));
    count = Math.min(count + MAX_READ, events.length);
    read.push(...next);
    if (count < events.length) for (const { record } of next) length += JSON.stringify(record ?? null).length;
  }
  return { events: read, count };
}

async function readTogether(
  context: Context,
  organizationId: string,
  events: readonly FoundEvent[],
): Promise<EventWithRecord[]> {
  const groups = Map.groupBy(
    events.filter((event) => getSource(event)),
    (event) => JSON.stringify([getSource(event)?.operation.path, buildRequest(context, organizationId, event)]),
  );
  const records = new Map<FoundEvent, unknown>();
  for (const group of groups.values()) {
    for (const [event, record] of await readRecords(context, organizationId, group)) records.set(event, record);
  }
  return events.flatMap((event) => {
    const source = getSource(event);
    if (!source) return [event];
    const record = records.get(event);
    if (source.isGone) return record === undefined ? [event] : [];
    return record === undefined ? [] : [{ ...event, record }];
  });
}

/**
 * Returns the states of documents as events of the position at which a reader begins: at most `limit`, and no more
 * once they are large.
 */
export async function currentLiveStates(
  context: Context,
  { organizationId, documentIds }: Pick<EventScope, "organizationId" | "documentIds">,
  { position, limit }: { position: number; limit: number },
): Promise<EventWithRecord[]> {
  const events: EventWithRecord[] = [];
  let length = 0;
  for (const documentId of documentIds) {
    let cursor: unknown;
    do {
      const request = { organizationId, documentId, pageSize: MAX_STATES_READ };
      const page: unknown = await getLiveStates.handle({ ...context, cursor }, request);
      for (const record of getRecords(page)) {
        if (events.length === limit || length >= MAX_RECORDS_LENGTH) return events;
        const { liveStateDataId, lastUpdated: timestamp } = Object(record);
        const subject = { liveStateDataId };
        events.push({ position, kind: "live_state.update", documentId, timestamp, subject, record });
        length += JSON.stringify(record).length;
      }
      cursor = page instanceof Page ? page.next : undefined;
    } while (cursor);
  }
  return events;
}

/** Returns where the record of an event is; undefined for an event that names none. */
function getSource({ kind, subject }: FoundEvent): Source | undefined {
  const source = SOURCES[kind];
  return source && Object.hasOwn(subject, source.id) ? source : undefined;
}

/** Returns the fields of the request for the record of an event, without its ID in the list. */
function buildRequest({ user }: Context, organizationId: string, event: FoundEvent): Record<string, unknown> {
  const { documentId, subject } = event;
  const { list, parents = [], reader } = getSource(event) ?? {};
  return {
    organizationId,
    ...(documentId !== null && { documentId }),
    ...Object.fromEntries(parents.map((name) => [name, subject[name]])),
    ...(user && reader && { [reader.field]: user.userId, ...reader.others }),
    ...(list && { [list]: [] }),
  };
}

async function readRecords(
  context: Context,
  organizationId: string,
  events: readonly FoundEvent[],
): Promise<[FoundEvent, unknown][]> {
  const [first] = events;
  const source = first && getSource(first);
  if (!source) return [];
  const { operation, list, id } = source;
  const ids = [...new Set(events.map(({ subject }) => subject[id]))];
  // Concurrent readers of small pages share a statement.
  const asked = list === undefined ? {} : { [list]: ids, pageSize: ids.length };
  const request = { ...buildRequest(context, organizationId, first), ...asked };
  const records = await readAll(context, operation, request).catch(hideForbidden);
  const byId = new Map(records.map((record) => [Object(record)[id], record]));
  return events.flatMap((event): [FoundEvent, unknown][] => {
    const record = list === undefined ? records[0] : byId.get(event.subject[id]);
    return record ? [[event, record]] : [];
  });
}

/** Reads all pages: a page with large records has fewer than were asked for. */
async function readAll(context: Context, operation: Source["operation"], request: object): Promise<unknown[]> {
  const records: unknown[] = [];
  let cursor: unknown;
  do {
    const response = await operation.handle({ ...context, cursor }, request);
    records.push(...getRecords(response));
    cursor = response instanceof Page ? response.next : undefined;
  } while (cursor !== undefined);
  return records;
}

function getRecords(response: unknown): unknown[] {
  const data = response instanceof Page ? response.data : response;
  const records: unknown = data instanceof JsonText ? JSON.parse(data.text) : data;
  return Array.isArray(records) ? records : [];
}

/** Hides the records of a document that cannot be read, such as one that has been disabled since. */
function hideForbidden(error: unknown): never[] {
  if (error instanceof ServiceError && error.status !== "UNAVAILABLE") return [];
  throw error;
}
