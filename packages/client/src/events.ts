import type { Api, EventRecords } from "./api.generated.ts";
import type { Connection } from "./connection.ts";
import {
  followStream,
  type Message,
  PRESENCE_DATA,
  type StreamFilter,
  type StreamOptions,
  type StreamStatus,
} from "./stream.ts";
import { findPage } from "./tab-page.ts";

/** The events to follow. */
export interface EventFilter extends Omit<StreamFilter, "presenceData"> {
  /** Cursor after which to begin, such as the `eventCursor` of a list. Without one, the stream begins now. */
  cursor?: string | undefined;
  /** Called with each cursor that arrives, also without an event: where a later stream resumes. */
  onCursor?: ((cursor: string) => void) | undefined;
  /** Called with `open` when the first message of a connection has arrived, and with `connecting` when it has ended. */
  onStatus?: ((status: StreamStatus) => void) | undefined;
  /** Called with what pages share about their users in the documents: at first with all of it, then with changes. */
  onPresenceData?: ((presence: PresenceData) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** A page that shares data about its user. */
export interface PresenceConnection {
  userId: string;
  /** Distinguishes the pages of a user. */
  connectionId: string;
  /** What the page shares; absent if it has left. */
  data?: { [field: string]: unknown };
}

/** What pages share about their users in a document. */
export interface PresenceData {
  organizationId: string;
  documentId: string;
  connections: PresenceConnection[];
  /** Whether there are no other connections, and not only changes. */
  isComplete?: true;
}

type ApiEvent = Api["/v2/events/get"]["response"]["events"][number];

/** A change of one of these kinds, with the record of that kind. */
export type EventOf<Kind extends ApiEvent["event"]> = {
  [Each in Kind]: Omit<ApiEvent, "event" | "record"> & { event: Each } & RecordOf<Each>;
}[Kind];

/** A change of many notifications is one event without a record. Other kinds always or never have one. */
type RecordOf<Kind> = Kind extends "notification.update"
  ? { record?: EventRecords[Kind] }
  : Kind extends keyof EventRecords
    ? { record: EventRecords[Kind] }
    : { record?: undefined };

/** A change. Its `event` determines the type of its `record`. */
export type ChangeEvent = EventOf<ApiEvent["event"]>;

/** Says that events after the cursor are no longer kept: read the records again. The stream continues. */
export interface ResetEvent {
  event: "reset";
  cursor: string;
}

/** An event of a stream. */
export type StreamEvent = ChangeEvent | ResetEvent;

/** Yields events without a gap or a repetition, from the stream that the tabs of a user share. */
export async function* followEvents(connection: Connection, given: EventFilter): AsyncGenerator<StreamEvent, never> {
  const { cursor, onCursor, onStatus, onPresenceData, signal, ...filter } = given;
  const options = { filter: { ...filter, presenceData: onPresenceData !== undefined }, cursor, onStatus, signal };
  const messages = await followShared(connection, options);
  for await (const message of messages) {
    // Several messages arrive at once, and the first may have led to a reset for another user.
    signal?.throwIfAborted();
    onCursor?.(message.cursor);
    if (message.event === PRESENCE_DATA) onPresenceData?.(JSON.parse(message.data ?? ""));
    else if (message.event !== undefined) yield parseEvent(message);
  }
  throw new Error("A stream never ends.");
}

/** Follows the stream of the tabs, in a page that can share one. Others need no script of it. */
async function followShared(connection: Connection, options: StreamOptions): Promise<AsyncGenerator<Message, never>> {
  const page = findPage();
  const tabs = page && (await import("./tab-stream.ts").catch(() => undefined));
  return tabs ? tabs.followInTabs(page, connection, options) : followStream(connection, options);
}

function parseEvent({ cursor, event, data = "{}" }: Message): StreamEvent {
  return { ...JSON.parse(data), event, cursor };
}
