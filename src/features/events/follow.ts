import type { Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import type { EventStep, LoggedEvent } from "../../contract/event-reading.ts";
import type { Context } from "../../contract/operation.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { FoundEvent } from "./queries.ts";
import { cursorOf, type EventPage, eventReader, type LogPosition, positionOf } from "./read-events.ts";
import { type EventWithRecord, withRecords } from "./records.ts";
import { type EventsAnswer, type EventsRequest, MAX_PAGE_SIZE, scopeOf } from "./schema.ts";

type Answer = Static<typeof EventsAnswer>;
type Request = Static<typeof EventsRequest>;

interface FollowOptions {
  /** Returns the milliseconds that each wait may last. */
  timeToWait: () => number;
  /** Whether the consumer of the steps checks the caller's access at `accessCheckDue`. Otherwise each read does. */
  checksCaller: boolean;
}

/**
 * Yields pages of the events after the cursor, and then of new events. Without a cursor, the first page may be empty.
 * Also yields an answer without events when a wait times out, and when the caller's access must be checked. Returns
 * when the service stops or there is no time left to wait.
 */
export async function* followEvents(
  context: Context<unknown>,
  request: Request,
  { timeToWait, checksCaller }: FollowOptions,
): AsyncGenerator<EventStep<Answer>, EventStep<Answer>> {
  const { workspace, events, waitOutside, user } = context;
  const { cursor, pageSize = MAX_PAGE_SIZE } = request;
  const scope = scopeOf(request);
  const { organizationId, documentIds } = scope;
  if (scope.inbox && !user) throw invalidField("data.inbox", "needs a user token");
  const step = (reason: EventStep<Answer>["reason"], page: EventPage) => ({
    reason,
    answer: answerOf(context, organizationId, page),
  });
  // Whoever may read a document may read the events for all in it. Those for some users are read from the log.
  const readable = checksCaller ? documentIds : [];
  const isForCaller = (event: LoggedEvent) => !user || (readable.includes(event.documentId ?? "") && isForAll(event));
  const start = cursor === undefined ? undefined : positionOf(context, organizationId, cursor);
  const interest = { ...scope, userId: user?.userId };
  const subscription = events.subscribe(organizationKey(workspace.id, organizationId), interest);
  try {
    const read = await eventReader(context, scope);
    let page = await read(start, pageSize);
    if (start === undefined || hasNews(page)) yield step("events", page);
    for (;;) {
      if (!page.isEnd) {
        page = await read(page.next, pageSize);
        if (hasNews(page)) yield step("events", page);
        continue;
      }
      const { next } = page;
      const waitMs = timeToWait();
      if (waitMs <= 0) return step("ended", emptyPage(next));
      const wakeup = await waitOutside(subscription.next(next.position, waitMs));
      switch (wakeup.reason) {
        case "stopping":
          return step("ended", emptyPage(next));
        case "timeout":
          page = emptyPage({ ...next, position: wakeup.position });
          yield step("timeout", page);
          break;
        case "accessCheckDue":
          page = unreadPage(next);
          yield step("accessCheckDue", page);
          break;
        case "behind":
          page = unreadPage(next);
          break;
        case "events":
          page =
            wakeup.events.length <= pageSize && wakeup.events.every(isForCaller)
              ? await deliveredPage(context, organizationId, next, wakeup)
              : unreadPage(next);
          if (hasNews(page)) yield step("events", page);
      }
    }
  } finally {
    subscription.end();
  }
}

/** Returns the page of the events that were delivered. It ends before those that would make it too large. */
async function deliveredPage(
  context: Context<unknown>,
  organizationId: string,
  after: LogPosition,
  delivered: { events: readonly LoggedEvent[]; position: number },
): Promise<EventPage> {
  const found = delivered.events.map(asFound);
  const { events, count } = await withRecords(context, organizationId, found);
  const isEnd = count === found.length;
  const position = isEnd ? delivered.position : (found[count - 1]?.position ?? after.position);
  return { events, next: { ...after, position }, isReset: false, isEnd };
}

function emptyPage(next: LogPosition): EventPage {
  return { events: [], next, isReset: false, isEnd: true };
}

/** Returns a page after which the log is read. */
function unreadPage(next: LogPosition): EventPage {
  return { ...emptyPage(next), isEnd: false };
}

function hasNews({ events, isReset }: EventPage): boolean {
  return events.length > 0 || isReset;
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
