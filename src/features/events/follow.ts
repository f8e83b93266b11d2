import type { Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import type { EventFollower, EventStep, EventSubscription, LoggedEvent } from "../../contract/event-reading.ts";
import type { Context } from "../../contract/operation.ts";
import type { PresenceSubscription } from "../../contract/presence-sharing.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { FoundEvent } from "./event-queries.ts";
import { type EventPage, eventReader, getCursor, getPosition, type LogPosition } from "./read-events.ts";
import { type EventWithRecord, withRecords } from "./records.ts";
import { type EventScope, type EventsRequest, type EventsResponse, getScope, MAX_PAGE_SIZE } from "./schema.ts";

type FollowedPage = Static<typeof EventsResponse>;
type Request = Static<typeof EventsRequest>;

/**
 * Follows the log after the cursor of a request; without one, from now on. The first step, which may be empty then,
 * begins to write the log if nobody has listened before. The last one says that the service stops.
 */
export class LogFollower implements EventFollower<FollowedPage> {
  readonly #context: Context;
  readonly #scope: EventScope;
  readonly #pageSize: number;
  /** Documents whose events a user gets as they are delivered. */
  readonly #readable: readonly string[];
  readonly #subscription: EventSubscription;
  readonly #presence: PresenceSubscription | undefined;
  #read: Awaited<ReturnType<typeof eventReader>> | undefined;
  /** Undefined before the first step of a caller without a cursor. */
  #next: LogPosition | undefined;
  /** Whether the log was read until its end. */
  #isAtEnd = false;
  #isWaiting = false;

  /** `checksCaller` says whether the consumer checks the caller at `accessCheckDue`. Otherwise each read does. */
  constructor(context: Context, request: Request, { checksCaller }: { checksCaller: boolean }) {
    const { workspace, events, user } = context;
    const { cursor, pageSize = MAX_PAGE_SIZE } = request;
    this.#context = context;
    this.#scope = getScope(request);
    this.#pageSize = pageSize;
    const { organizationId, documentIds, inbox } = this.#scope;
    if (inbox && !user) throw invalidField("data.inbox", "needs a user token");
    // Whoever may read a document may read the events for all in it. Those for some users are read from the log.
    this.#readable = checksCaller ? documentIds : [];
    this.#next = cursor === undefined ? undefined : getPosition(context, organizationId, cursor);
    const interest = { ...this.#scope, userId: user?.userId };
    const key = organizationKey(workspace.id, organizationId);
    this.#subscription = events.subscribe(key, interest);
    this.#presence = request.presenceData
      ? events.presence.subscribe({ organizationKey: key, organizationId, documentIds }, () =>
          this.#subscription.wake(),
        )
      : undefined;
  }

  async next(): Promise<EventStep<FollowedPage> | undefined> {
    this.#read ??= await eventReader(this.#context, this.#scope);
    if (this.#isWaiting) {
      this.#isWaiting = false;
      const step = await this.#afterWait();
      if (step) return step;
    }
    while (!this.#isAtEnd) {
      const isFirst = this.#next === undefined;
      const page = await this.#read(this.#next, this.#pageSize);
      const step = this.#getStep(page);
      if (step) return step;
      if (isFirst) return this.#emptyStep("events");
    }
    return undefined;
  }

  wait(waitMs: number, wake: () => void): void {
    this.#isWaiting = true;
    this.#subscription.wait(this.#position.position, waitMs, wake);
    if (this.#presence?.hasNews) this.#subscription.wake();
  }

  emptyPage(): FollowedPage {
    return toPage(this.#context, this.#scope.organizationId, { events: [], next: this.#position });
  }

  end(): void {
    this.#subscription.end();
    this.#presence?.end();
  }

  get #position(): LogPosition {
    if (!this.#next) throw new Error("the log was not read");
    return this.#next;
  }

  /** Takes what has ended the wait. Returns nothing if it needs no step, or if the log must be read. */
  async #afterWait(): Promise<EventStep<FollowedPage> | undefined> {
    const wakeup = this.#subscription.take();
    const { reason } = wakeup;
    if (reason === "events") return this.#afterDelivery(wakeup);
    this.#isAtEnd = reason === "timeout" || reason === "ended";
    if (reason === "timeout") this.#next = { ...this.#position, position: wakeup.position };
    if (reason === "behind") return undefined;
    if (reason === "timeout" && this.#presence?.hasNews) {
      return { ...this.#emptyStep("unlogged"), unlogged: this.#presence.take() };
    }
    return this.#emptyStep(reason);
  }

  /** Returns the step of the events that were delivered, unless the caller must read them from the log. */
  async #afterDelivery(delivered: {
    events: readonly LoggedEvent[];
    position: number;
  }): Promise<EventStep<FollowedPage> | undefined> {
    const { events, position } = delivered;
    this.#isAtEnd = false;
    if (events.length > this.#pageSize || !events.every((event) => this.#isForCaller(event))) return undefined;
    const after = this.#position;
    const found = events.map(asFound);
    const { events: read, count } = await withRecords(this.#context, this.#scope.organizationId, found);
    // The page ends before the events that would make it too large.
    const isEnd = count === found.length;
    const last = isEnd ? position : (found[count - 1]?.position ?? after.position);
    return this.#getStep({ events: read, next: { ...after, position: last }, isReset: false, isEnd });
  }

  #isForCaller(event: LoggedEvent): boolean {
    if (!this.#context.user) return true;
    return isForAll(event) && this.#readable.includes(event.documentId ?? "");
  }

  /** Goes on after a page. Returns its step, if it has news. */
  #getStep(page: EventPage): EventStep<FollowedPage> | undefined {
    this.#next = page.next;
    this.#isAtEnd = page.isEnd;
    if (page.events.length === 0 && !page.isReset) return undefined;
    return { reason: "events", page: toPage(this.#context, this.#scope.organizationId, page) };
  }

  #emptyStep(reason: EventStep<FollowedPage>["reason"]): EventStep<FollowedPage> {
    return { reason, page: this.emptyPage() };
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

function toPage(
  context: Context,
  organizationId: string,
  page: Pick<EventPage, "events" | "next"> & { isReset?: boolean },
): FollowedPage {
  return {
    events: page.events.map((event) => ({
      ...withoutPosition(organizationId, event),
      cursor: getCursor(context, organizationId, { ...page.next, position: event.position }),
    })),
    cursor: getCursor(context, organizationId, page.next),
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
