import type { Api } from "./api.generated.ts";
import { delayBefore, linkedController, wait } from "./back-off.ts";
import { asColloquyError, type Connection } from "./connection.ts";
import { ColloquyError } from "./errors.ts";
import { createEventParser } from "./server-sent-events.ts";

type EventsRequest = Api["/v2/events/get"]["request"];

/** Whether events arrive as they happen, or once there is a connection again. */
export type StreamStatus = "connecting" | "open";

/** A message of a stream. */
export interface Message {
  cursor: string;
  /** Kind of the event; undefined for a message that has only a cursor. */
  event?: string | undefined;
  /** JSON text. */
  data?: string | undefined;
}

/** What a stream follows. */
export interface StreamFilter
  extends Pick<EventsRequest, "organizationId" | "documentId" | "documentIds" | "inbox" | "activities" | "kinds"> {
  /** Whether it has what pages share about their users in the documents. */
  presenceData?: boolean;
}

export interface StreamOptions {
  filter: StreamFilter;
  cursor?: string | undefined;
  onStatus?: ((status: StreamStatus) => void) | undefined;
  /** Called before each connection. What it throws ends the stream. */
  beforeConnecting?: (() => Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Maximum time without data before a connection counts as lost, in milliseconds. The service sends a comment every
 * 15 s.
 */
export const SILENCE_MS = 45_000;
/** Event with what pages share about their users. */
export const PRESENCE_DATA = "presence.data";
/** Number of doublings of the delay before another connection: 4 s at most, so that pages are soon live again. */
const MAX_DOUBLINGS = 4;

/**
 * Yields the messages of a stream, and connects again wherever a connection ends, without a gap or a repetition. Throws
 * a ColloquyError only if the service rejects the stream, and the reason of the signal once it is aborted.
 */
export async function* followStream(connection: Connection, options: StreamOptions): AsyncGenerator<Message, never> {
  const { filter, signal, onStatus, beforeConnecting } = options;
  const path = `/v2/events/stream?${buildSearch(filter)}`;
  let { cursor } = options;
  for (let failures = 0; ; failures += 1) {
    let error: unknown;
    signal?.throwIfAborted();
    const { controller: closing, end } = linkedController(signal);
    try {
      await beforeConnecting?.();
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
        yield message;
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      error = asColloquyError(thrown);
      if (!(error instanceof ColloquyError && error.isRetryable)) throw error;
    } finally {
      end();
      closing.abort();
      onStatus?.("connecting");
    }
    await wait(delayBefore(Math.min(failures, MAX_DOUBLINGS), error), signal);
  }
}

/** Yields the messages of a connection until it ends. */
async function* getMessages(response: Response, closing: AbortController): AsyncGenerator<Message> {
  const parse = createEventParser();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => closing.abort(silent()), SILENCE_MS);
    const chunk = await reader?.read().finally(() => clearTimeout(timer));
    if (!chunk || chunk.done) return;
    for (const { id: cursor = "", event, data } of parse(chunk.value)) yield { cursor, event, data };
  }
}

function silent(): ColloquyError {
  return new ColloquyError("OFFLINE", { message: "The stream is silent." });
}

function buildSearch(filter: StreamFilter): URLSearchParams {
  const { organizationId, documentId, documentIds = [], inbox, activities, kinds, presenceData } = filter;
  const search = new URLSearchParams({
    organizationId,
    ...(documentId !== undefined && { documentId }),
    ...(inbox && { inbox: "true" }),
    ...(activities && { activities: "true" }),
    ...(presenceData && { presenceData: "true" }),
    ...(kinds && { kinds: kinds.join(",") }),
  });
  for (const id of documentIds) search.append("documentIds", id);
  return search;
}
