import { createParser } from "eventsource-parser";
import type { Api, EventRecords } from "./api.generated.ts";
import { delayBefore, wait } from "./back-off.ts";
import { asColloquyError, type Connection } from "./connection.ts";
import { ColloquyError } from "./errors.ts";

type EventsRequest = Api["/v2/events/get"]["request"];

/** The events to follow. */
export interface EventFilter
  extends Pick<EventsRequest, "organizationId" | "documentId" | "documentIds" | "inbox" | "kinds"> {
  /** Cursor after which to begin, such as the `eventCursor` of a list. Without one, the stream begins now. */
  cursor?: string | undefined;
  /** Called with each cursor that arrives, also without an event: where a later stream resumes. */
  onCursor?: ((cursor: string) => void) | undefined;
  /** Called with `open` when the first message of a connection has arrived, and with `connecting` when it has ended. */
  onStatus?: ((status: StreamStatus) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Whether events arrive as they happen, or once there is a connection again. */
export type StreamStatus = "connecting" | "open";

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

/**
 * Maximum time without data before a connection counts as lost, in milliseconds. The service sends a comment every
 * 15 s.
 */
const SILENCE_MS = 45_000;
/** Number of doublings of the delay before another connection: 4 s at most, so that pages are soon live again. */
const MAX_DOUBLINGS = 4;

/**
 * Yields events, and connects again wherever a connection ends, without a gap or a repetition. Throws a ColloquyError
 * only if the service rejects the stream, and the reason of the signal once it is aborted.
 */
export async function* followEvents(connection: Connection, filter: EventFilter): AsyncGenerator<StreamEvent, never> {
  const { signal, onCursor, onStatus } = filter;
  const path = `/v2/events/stream?${buildSearch(filter)}`;
  let { cursor } = filter;
  for (let failures = 0; ; failures += 1) {
    let error: unknown;
    const closing = new AbortController();
    const abort = () => closing.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", abort);
    try {
      const headers = { accept: "text/event-stream", ...(cursor && { "last-event-id": cursor }) };
      const connecting = setTimeout(() => closing.abort(silent()), SILENCE_MS);
      const response = await connection
        .send({ path, headers, signal: closing.signal })
        .finally(() => clearTimeout(connecting));
      let isOpen = false;
      for await (const message of getMessages(response, closing)) {
        // The service sends a message at once. Headers alone may come from a proxy that holds the messages back.
        if (!isOpen) onStatus?.("open");
        isOpen = true;
        failures = 0;
        cursor = message.cursor;
        onCursor?.(cursor);
        if (message.event !== undefined) yield parseEvent(message);
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      error = asColloquyError(thrown);
      if (!(error instanceof ColloquyError && error.isRetryable)) throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
      closing.abort();
      onStatus?.("connecting");
    }
    await wait(delayBefore(Math.min(failures, MAX_DOUBLINGS), error), signal);
  }
}

interface Message {
  cursor: string;
  /** Kind of the event; undefined for a message that has only a cursor. */
  event?: string | undefined;
  data?: string;
}

/** Yields the messages of a connection until it ends. */
async function* getMessages(response: Response, closing: AbortController): AsyncGenerator<Message> {
  let messages: Message[] = [];
  const parser = createParser({
    onId: (cursor) => messages.push({ cursor }),
    onEvent: ({ id = "", event, data }) => {
      // The parser has reported the ID of this event before.
      messages.pop();
      messages.push({ cursor: id, event, data });
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => closing.abort(silent()), SILENCE_MS);
    const chunk = await reader?.read().finally(() => clearTimeout(timer));
    if (!chunk || chunk.done) return;
    parser.feed(chunk.value);
    const received = messages;
    messages = [];
    yield* received;
  }
}

function parseEvent({ cursor, event, data = "{}" }: Message): StreamEvent {
  return { ...JSON.parse(data), event, cursor };
}

function silent(): ColloquyError {
  return new ColloquyError("OFFLINE", { message: "The stream is silent." });
}

function buildSearch({ organizationId, documentId, documentIds = [], inbox, kinds }: EventFilter): URLSearchParams {
  const search = new URLSearchParams({
    organizationId,
    ...(documentId !== undefined && { documentId }),
    ...(inbox && { inbox: "true" }),
    ...(kinds && { kinds: kinds.join(",") }),
  });
  for (const id of documentIds) search.append("documentIds", id);
  return search;
}
