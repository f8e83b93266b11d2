import type { EventInterest, EventSubscription, LoggedEvent, Wakeup } from "../../contract/event-reading.ts";
import { changesAccess, getKindsAnywhere } from "../event-log/event.ts";

/** Maximum number of events that are kept for a reader who does not take them. Past that it reads the log. */
const MAX_KEPT = 100;

/** A caller that waits for new events of an organization. */
export class Reader implements EventSubscription {
  readonly #interest: EventInterest;
  readonly #readers: OrganizationReaders;
  readonly #kindsAnywhere: ReadonlySet<string>;
  /** Position until which the reader has read or taken; undefined until it waits for the first time. */
  #known: number | undefined;
  #events: LoggedEvent[] = [];
  /** Whether there may be events that were not delivered, so that the reader must read the log. */
  #isBehind = false;
  #isAccessCheckDue = false;
  #isEnded = false;
  #wake: (() => void) | undefined;
  #timeout: NodeJS.Timeout | undefined;

  constructor(interest: EventInterest, readers: OrganizationReaders) {
    this.#interest = interest;
    this.#readers = readers;
    this.#kindsAnywhere = new Set(getKindsAnywhere(interest));
    readers.add(this);
  }

  get documentIds(): readonly string[] {
    return this.#interest.documentIds;
  }

  /** Kinds of the events that the reader gets in whichever document. */
  get kindsAnywhere(): ReadonlySet<string> {
    return this.#kindsAnywhere;
  }

  /** Delivers an event, in the order of the log, if the reader gets it. Its document is one of those of the reader. */
  offer(event: LoggedEvent): void {
    const { kinds, userId } = this.#interest;
    if (kinds !== undefined && !kinds.includes(event.kind)) return;
    if (event.audience === "user" ? event.userId !== userId : event.audience === "backend" && userId !== undefined)
      return;
    if (this.#known !== undefined && event.position <= this.#known) return;
    if (this.#known === undefined || this.#events.length === MAX_KEPT) this.#isBehind = true;
    else this.#events.push(event);
    this.wake();
  }

  /** Wakes the reader, which must then read the log. */
  markBehind(): void {
    this.#isBehind = true;
    this.wake();
  }

  /** Wakes the reader, which must then check whether its caller may still read. */
  requestAccessCheck(): void {
    this.#isAccessCheckDue = true;
    this.wake();
  }

  wait(position: number, waitMs: number, wake: () => void): void {
    const delivered = this.#readers.joinAt(position);
    if (this.#known === undefined && position < delivered) this.#isBehind = true;
    this.#known = Math.max(position, this.#known ?? 0);
    this.#events = this.#events.filter((event) => event.position > position);
    this.#wake = wake;
    if (this.#isEnded || this.#isBehind || this.#isAccessCheckDue || this.#events.length > 0) this.wake();
    else this.#timeout = setTimeout(wakeReader, waitMs, this);
  }

  /** Ends the wait, once all events that arrive together are delivered. */
  wake(): void {
    clearTimeout(this.#timeout);
    if (this.#wake) queueMicrotask(this.#wake);
    this.#wake = undefined;
    this.#timeout = undefined;
  }

  take(): Wakeup {
    const position = this.#known ?? 0;
    if (this.#isEnded) return { reason: "ended", position };
    if (this.#isAccessCheckDue) {
      this.#isAccessCheckDue = false;
      return { reason: "accessCheckDue", position };
    }
    const events = this.#events;
    if (this.#isBehind) {
      this.#events = [];
      this.#isBehind = false;
      return { reason: "behind", position };
    }
    // Events have been delivered until there.
    this.#known = Math.max(position, this.#readers.position ?? position);
    if (events.length === 0) return { reason: "timeout", position: this.#known };
    this.#events = [];
    return { reason: "events", position: this.#known, events };
  }

  end(): void {
    this.#isEnded = true;
    this.wake();
    this.#readers.delete(this);
  }
}

/** Has no closure for each reader. */
function wakeReader(reader: Reader): void {
  reader.wake();
}

/** The readers of one organization at this process, and until where its log has been delivered to them. */
export class OrganizationReaders {
  readonly #all = new Set<Reader>();
  /** Readers by each of their documents. */
  readonly #byDocument = new Map<string, Set<Reader>>();
  /** Readers of the whole organization. */
  readonly #organizationReaders = new Set<Reader>();
  /** Readers of some kinds in all documents. */
  readonly #kindReaders = new Set<Reader>();
  readonly #forget: () => void;
  /** Undefined until a reader has read. */
  position: number | undefined;

  /** `forget` is called when the last reader has left. */
  constructor(forget: () => void) {
    this.#forget = forget;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  [Symbol.iterator](): Iterator<Reader> {
    return this.#all.values();
  }

  add(reader: Reader): void {
    this.#all.add(reader);
    if (reader.kindsAnywhere.size > 0) this.#kindReaders.add(reader);
    else if (reader.documentIds.length === 0) this.#organizationReaders.add(reader);
    for (const documentId of reader.documentIds) {
      const readers = this.#byDocument.get(documentId) ?? new Set();
      this.#byDocument.set(documentId, readers.add(reader));
    }
  }

  delete(reader: Reader): void {
    for (const readers of [this.#all, this.#kindReaders, this.#organizationReaders]) readers.delete(reader);
    for (const documentId of reader.documentIds) {
      const readers = this.#byDocument.get(documentId);
      readers?.delete(reader);
      if (readers?.size === 0) this.#byDocument.delete(documentId);
    }
    if (this.isEmpty) this.#forget();
  }

  /** Begins at the position of a reader that is about to wait. Returns until where events have been delivered. */
  joinAt(position: number): number {
    this.position ??= position;
    return this.position;
  }

  /** Returns the readers of the event's document, of the organization and of the event's kind. */
  *#getReaders({ documentId, audience, kind }: LoggedEvent): Generator<Reader> {
    // Readers of documents get what is about the whole inbox of their user, or for all.
    if (documentId === null && (audience === "user" || audience === "everyone")) return yield* this.#all;
    yield* this.#organizationReaders;
    const documentReaders = documentId === null ? undefined : this.#byDocument.get(documentId);
    yield* documentReaders ?? [];
    for (const reader of this.#kindReaders) {
      if (reader.kindsAnywhere.has(kind) && !documentReaders?.has(reader)) yield reader;
    }
  }

  /** Delivers the events until a position. Returns whether one of them may have ended somebody's access. */
  advance(events: readonly LoggedEvent[], position: number): boolean {
    for (const event of events) {
      for (const reader of this.#getReaders(event)) reader.offer(event);
    }
    this.position = position;
    return events.some(({ kind }) => changesAccess(kind));
  }
}
