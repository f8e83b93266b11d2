import type { RequestData } from "./call.ts";
import type { CurlRequest } from "./curl.ts";
import type { Activity } from "./records.ts";

/** What has happened to a list since it was read. */
export interface News {
  /** Number of records that are new or have changed. */
  count: number;
  /** Whether there may be more than these. */
  isIncomplete: boolean;
  /** Whether the service could not be asked lately. */
  isPaused?: boolean;
}

/** Time in which several changes of what shows itself cause one read. */
export const SETTLE_MS = 300;

export const NO_NEWS: News = { count: 0, isIncomplete: false };

/** The feed of all organizations, which has no events of its own. */
export const FEED = "/v2/workspace/activities/get";
/** Maximum number of activities that one look at the feed counts. */
const MAX_COUNTED = 50;

type FeedRequest = RequestData<typeof FEED>;
type EventsRequest = RequestData<"/v2/events/get">;
type Kind = NonNullable<EventsRequest["kinds"]>[number];

/** Kinds of the events that name a record of a list that has changed, by the operation that reads it. */
const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  "/v2/activities/get": ["activity.add", "activity.update", "activity.delete"],
  "/v2/commentannotations/get": [
    ...(["comment_annotation.add", "comment_annotation.update", "comment_annotation.delete"] as const),
    ...(["comment_annotation.status_change", "comment_annotation.assign"] as const),
    ...(["comment_annotation.priority_change", "comment_annotation.suggestion_accept"] as const),
    ...(["comment_annotation.suggestion_reject", "comment.add", "comment.update", "comment.delete"] as const),
    ...(["comment.reaction_add", "comment.reaction_delete"] as const),
  ],
  "/v2/crdt/get": ["crdt.update_data", "crdt.delete"],
  "/v2/notifications/get": ["notification.add", "notification.update", "notification.delete"],
  "/v2/organizations/documents/figures/get": ["document.update", "document.delete"],
  "/v2/organizations/documents/get": ["document.update", "document.delete"],
  "/v2/organizations/notifications/get": ["notification.add", "notification.update", "notification.delete"],
  "/v2/organizations/presence/get": ["presence.update", "presence.delete"],
  "/v2/presence/get": ["presence.update", "presence.delete"],
  "/v2/recordings/get": ["recorder.done", "recorder.update", "recorder.delete"],
  "/v2/users/figures/get": ["user.update", "user.delete"],
};
/** Kinds of the events that may change any records of any list, which have no events of their own then. */
const KINDS_OF_MANY: readonly Kind[] = ["document.delete", "user_data.deleted"];

/** Operations whose lists show the present: panels read them again at once instead of saying that they changed. */
const LIVE = ["/v2/organizations/presence/get", "/v2/presence/get"];

export function isLive({ path }: CurlRequest): boolean {
  return LIVE.includes(path);
}

/**
 * Returns the request for the events that change what a list shows. Undefined for a page other than the first, and
 * for a list with filters that events do not have.
 */
export function newsRequest({ path, data }: CurlRequest): EventsRequest | undefined {
  const kinds = KINDS[path];
  const { organizationId, documentId, pageSize: _, orderBy: _value, order: _order, ...filters } = Object(data);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (!kinds || typeof organizationId !== "string" || isFiltered) return undefined;
  const scope = { organizationId, ...(typeof documentId === "string" && { documentId }) };
  return { ...scope, kinds: [...new Set([...kinds, ...KINDS_OF_MANY])] };
}

interface ChangeEvent {
  event: string;
  documentId?: string;
  subject: object;
}

/**
 * Returns a key of the record of a list that an event is about: an annotation that gets three comments has one.
 * Undefined if the event may change any records.
 */
export function changedRecord({ path }: Pick<CurlRequest, "path">, event: ChangeEvent): string | undefined {
  if (!KINDS[path]?.some((kind) => kind === event.event)) return undefined;
  const { annotationId, id, editorId, userId } = Object(event.subject);
  return JSON.stringify([event.documentId, annotationId ?? id ?? editorId ?? userId]);
}

/**
 * Returns the request that looks for activities which are newer than those that the feed shows. Undefined for a page
 * other than the first, and for other lists.
 */
export function feedRequest({ path, data }: CurlRequest, shown: readonly Activity[]): FeedRequest | undefined {
  const { pageToken, ...filters }: FeedRequest = Object(data);
  if (path !== FEED || pageToken !== undefined) return undefined;
  const [newest] = shown;
  return { ...filters, ...(newest && { from: newest.timestamp }), pageSize: MAX_COUNTED };
}

/** Returns how many activities are newer than those that the feed shows. Both are in order, the newest first. */
export function countNewer(
  found: readonly Activity[],
  shown: readonly Activity[],
  { isEnd }: { isEnd: boolean },
): News {
  const known = new Set(shown.map(getKey));
  const count = found.findIndex((activity) => known.has(getKey(activity)));
  return count === -1 ? { count: found.length, isIncomplete: !isEnd } : { count, isIncomplete: false };
}

function getKey({ id, metadata: { organizationId } }: Activity): string {
  return JSON.stringify([organizationId, id]);
}
