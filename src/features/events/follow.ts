import type { Static } from "typebox";
import type { LoggedEvent, Waited } from "../../contract/event-reading.ts";
import type { Context } from "../../contract/operation.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { FoundEvent } from "./queries.ts";
import { cursorOf, type EventPage, eventReader, type LogPosition, positionOf } from "./read-events.ts";
import { type EventWithRecord, withRecords } from "./records.ts";
import { type EventsAnswer, type EventsRequest, MAX_PAGE_SIZE } from "./schema.ts";

type Answer = Static<typeof EventsAnswer>;
type Request = Static<typeof EventsRequest>;

/** A step of reading on: an answer, or that the caller may have lost the right to read. */
export type Followed = { reason: "events" | "waited" | "mustCheck" | "ended"; answer: Answer };

interface FollowOptions {
  /** Returns the milliseconds that each wait may last. */
  timeToWait: () => number;
  /** Whether the access of the caller is checked at each step that says so. The database decides it otherwise. */
  checksCaller: boolean;
}

/**
 * Reads the events after the cursor, and goes on with those that follow. Yields each page that has some, the first one
 * without a cursor, and an answer without events each time that the time to wait is over or the caller must be checked.
 * Returns when the service stops, or there is no time to wait.
 */
export async function* followEvents(
  context: Context<unknown>,
  { organizationId, cursor, waitSeconds: _, pageSize = MAX_PAGE_SIZE, ...filters }: Request,
  { timeToWait, checksCaller }: FollowOptions,
): AsyncGenerator<Followed, Followed> {
  const { workspace, events, waitOutside, user } = context;
  // Whoever may read the document may read the events for all in it.
  const isTrusted = checksCaller && filters.documentId !== undefined;
  const answer = (page: EventPage) => answerOf(context, organizationId, page);
  const idleAt = (next: LogPosition) => answer({ events: [], next, isReset: false, isEnd: true });
  let after = cursor === undefined ? undefined : positionOf(context, organizationId, cursor);
  const subscription = events.subscribe(organizationKey(workspace.id, organizationId), {
    ...filters,
    userId: user?.userId,
  });
  try {
    const read = await eventReader(context, { organizationId, ...filters });
    let isFirst = cursor === undefined;
    for (;;) {
      const page = await read(after, pageSize);
      after = page.next;
      if (page.events.length > 0 || page.isReset || isFirst) yield { reason: "events", answer: answer(page) };
      isFirst = false;
      let mustRead = !page.isEnd;
      while (!mustRead) {
        const waitMs = timeToWait();
        if (waitMs <= 0) return { reason: "ended", answer: idleAt(after) };
        const woken: Waited = await waitOutside(subscription.next(after.position, waitMs));
        const isForCaller = (event: LoggedEvent) => !user || (isTrusted && isForAll(event));
        if (woken.reason === "told" && woken.events.length <= pageSize && woken.events.every(isForCaller)) {
          const found: FoundEvent[] = woken.events.map(asFound);
          const { events: told, count } = await withRecords(context, organizationId, found);
          mustRead = count < found.length;
          after = { ...after, position: mustRead ? (found[count - 1]?.position ?? after.position) : woken.position };
          if (told.length > 0)
            yield { reason: "events", answer: answer({ events: told, next: after, isReset: false, isEnd: !mustRead }) };
          continue;
        }
        mustRead = woken.reason === "told" || woken.reason === "mustRead";
        if (mustRead) continue;
        after = { ...after, position: woken.position };
        if (woken.reason === "stopping") return { reason: "ended", answer: idleAt(after) };
        mustRead = woken.reason === "mustCheck";
        yield { reason: mustRead ? "mustCheck" : "waited", answer: idleAt(after) };
      }
    }
  } finally {
    subscription.end();
  }
}

/** Returns whether all who may read the document get the event. */
function isForAll({ audience, hasContext }: LoggedEvent): boolean {
  return audience === "document" && !hasContext;
}

/** Casts the kind: the log has only events of known kinds. */
function asFound(event: LoggedEvent): FoundEvent {
  return event as FoundEvent;
}

function answerOf(context: Context<unknown>, organizationId: string, page: EventPage): Answer {
  return {
    events: page.events.map((event) => ({
      ...withoutPosition(organizationId, event),
      cursor: cursorOf(context, organizationId, { ...page.next, position: event.position }),
    })),
    cursor: cursorOf(context, organizationId, page.next),
    ...(page.isReset && { isReset: true as const }),
  };
}

/** Returns an event as callers get it. */
function withoutPosition(organizationId: string, event: EventWithRecord) {
  const { kind, documentId, timestamp, subject, record } = event;
  return {
    event: kind,
    organizationId,
    ...(documentId !== null && { documentId }),
    timestamp,
    subject,
    ...(record !== undefined && { record: Object(record) }),
  };
}
