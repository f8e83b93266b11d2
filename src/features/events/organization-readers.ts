import type { EventInterest, LoggedEvent, Waited } from "../../contract/event-reading.ts";
import { changesAccess } from "../event-log/event.ts";

/** Maximum number of events that are kept for a reader who does not take them. Past that it must read the log. */
const MAX_KEPT = 100;

/** One who waits for new events of an organization. */
export class Reader {
  readonly #interest: EventInterest;
  /** Position until which the reader has read or taken; undefined until it waits for the first time. */
  #known: number | undefined;
  #events: LoggedEvent[] = [];
  /** Whether the reader must read the log by itself. */
  #mustRead = false;
  #mustCheck = false;
  #wake: (() => void) | undefined;

  constructor(interest: EventInterest) {
    this.#interest = interest;
  }

  get documentId(): string | undefined {
    return this.#interest.documentId;
  }

  /** Begins to wait after a position that the reader has read. `told` is that until which readers have been told. */
  join(position: number, told: number): void {
    if (this.#known === undefined && position < told) this.#mustRead = true;
    this.#known = Math.max(position, this.#known ?? 0);
    this.#events = this.#events.filter((event) => event.position > position);
  }

  /** Tells the reader of an event in its document, in the order of the log. */
  offer(event: LoggedEvent): void {
    const { kinds, userId } = this.#interest;
    if (kinds !== undefined && !kinds.includes(event.kind)) return;
    if (event.audience === "user" ? event.userId !== userId : event.audience === "backend" && userId !== undefined)
      return;
    if (this.#known !== undefined && event.position <= this.#known) return;
    if (this.#known === undefined || this.#events.length === MAX_KEPT) this.#mustRead = true;
    else this.#events.push(event);
    this.#wake?.();
  }

  mustRead(): void {
    this.#mustRead = true;
    this.#wake?.();
  }

  mustCheck(): void {
    this.#mustCheck = true;
    this.#wake?.();
  }

  /** Resolves when the reader is told of something, or when the time is over. */
  wait(waitMs: number): Promise<void> {
    if (this.#mustRead || this.#mustCheck || this.#events.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      this.#wake = wake;
    });
  }

  /** Takes what the reader has been told of, until the position until which all have been told. */
  take(told: number): Waited {
    const position = this.#known ?? 0;
    if (this.#mustCheck) {
      this.#mustCheck = false;
      return { reason: "mustCheck", position };
    }
    const events = this.#events;
    this.#events = [];
    if (this.#mustRead) {
      this.#mustRead = false;
      return { reason: "mustRead", position };
    }
    this.#known = Math.max(position, told);
    return events.length > 0
      ? { reason: "told", position: this.#known, events }
      : { reason: "waited", position: this.#known };
  }
}

/** The readers of one organization that this process knows, and until where they have been told of its log. */
export class OrganizationReaders {
  /** Readers by their document; undefined for those of all documents. */
  readonly #byDocument = new Map<string | undefined, Set<Reader>>();
  /** Undefined until a reader has read. */
  position: number | undefined;

  get isEmpty(): boolean {
    return this.#byDocument.size === 0;
  }

  *[Symbol.iterator](): Iterator<Reader> {
    for (const readers of this.#byDocument.values()) yield* readers;
  }

  add(reader: Reader): void {
    const readers = this.#byDocument.get(reader.documentId) ?? new Set();
    this.#byDocument.set(reader.documentId, readers.add(reader));
  }

  delete(reader: Reader): void {
    const readers = this.#byDocument.get(reader.documentId);
    readers?.delete(reader);
    if (readers?.size === 0) this.#byDocument.delete(reader.documentId);
  }

  /** Begins at the position of a reader that is about to wait. */
  join(reader: Reader, position: number): void {
    this.position ??= position;
    reader.join(position, this.position);
  }

  /** Returns the readers of all documents and of that of the event, or everyone for an event about a whole inbox. */
  *#readersOf({ documentId, audience }: LoggedEvent): Generator<Reader> {
    if (documentId === null && audience === "user") return yield* this;
    yield* this.#byDocument.get(undefined) ?? [];
    if (documentId !== null) yield* this.#byDocument.get(documentId) ?? [];
  }

  /** Tells the readers of the events until a position. Returns whether one of them may have ended somebody's access. */
  advance(events: readonly LoggedEvent[], position: number): boolean {
    for (const event of events) {
      for (const reader of this.#readersOf(event)) reader.offer(event);
    }
    this.position = position;
    return events.some(({ kind }) => changesAccess(kind));
  }
}
