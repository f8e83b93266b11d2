import { delayBefore, wait } from "./back-off.ts";
import { asColloquyError, type Connection } from "./connection.ts";
import { ColloquyError } from "./errors.ts";
import type { Message, StreamFilter } from "./stream.ts";

/** A response with events. */
interface Page {
  events: { event: string; cursor: string }[];
  cursor: string;
  isReset?: true;
}

/**
 * Yields the events between a cursor and the end of the log, as messages of a stream. Without a cursor, yields what a
 * stream begins with. The last message has only a cursor. Waits while the service is away, as a stream does.
 */
export async function* readLoggedEvents(
  connection: Connection,
  { presenceData: _, ...filter }: StreamFilter,
  { cursor, signal }: { cursor: string | undefined; signal: AbortSignal | undefined },
): AsyncGenerator<Message, void> {
  let after = cursor;
  for (let failures = 0; ; ) {
    const body = JSON.stringify({ data: { ...filter, cursor: after } });
    try {
      const { events, cursor, isReset } = getPage(await connection.call({ path: "/v2/events/get", body, signal }));
      failures = 0;
      for (const { event, cursor, ...data } of events) yield { cursor, event, data: JSON.stringify(data) };
      yield isReset ? { cursor, event: "reset" } : { cursor };
      if (after === undefined || isReset || events.length === 0) return;
      after = cursor;
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = asColloquyError(thrown);
      if (!(error instanceof ColloquyError && error.isRetryable)) throw error;
      await wait(delayBefore(failures, error), signal);
      failures += 1;
    }
  }
}

/** Casts a response: the service builds it from the contract. */
function getPage(body: unknown): Page {
  return Object(body).result.data as Page;
}
