import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Limits } from "../config/limits.ts";
import { type EndUser, getEnds } from "../contract/end-user.ts";
import { ACCESS_CHECK_MS, type EventFollower, type EventStep } from "../contract/event-reading.ts";
import type { UnloggedEvent } from "../contract/presence-sharing.ts";

/** Interval of the comments that keep proxies from closing an idle stream. */
const HEARTBEAT_SECONDS = 15;
/**
 * Shortest and longest time after which the access of a user is checked although no change was reported. Streams that
 * were opened together are not checked together.
 */
const CHECK_MS = { min: 300_000, max: 600_000 };
/** Time after which a client connects again. */
const RETRY_MS = 2_000;

/** A page of events. */
export interface StreamedPage {
  events: readonly { event: string; cursor: string }[];
  cursor: string;
  isReset?: true;
}

/** A request to which a stream responds, and its valid data. */
export interface StreamRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  data: object;
}

/** What all streams of a process need. */
export interface StreamOptions {
  limits: Limits["streams"];
  log: Logger;
  /** Aborts when the server begins to close. */
  closing: AbortSignal;
  /** Throws unless the caller may still call and, if access is checked too, a user may still read. */
  checkCaller(request: StreamRequest, checksAccess: boolean): Promise<void>;
}

/**
 * A stream of events that is open. While it is idle, no promise and no suspended function waits, which took 2.5 kB of a
 * stream (measured with 4,000).
 */
export class OpenStream {
  readonly #options: StreamOptions;
  readonly #request: StreamRequest;
  readonly #raw: ServerResponse;
  readonly #follower: EventFollower<StreamedPage>;
  readonly #closed: () => void;
  readonly #wake = () => void this.#advance();
  #checkAt: number;
  #isClosed = false;

  /** Sends the headers and the first page, and then the events. `closed` is called once, at the end. */
  constructor(
    options: StreamOptions,
    request: StreamRequest,
    { follower, first, closed }: { follower: EventFollower<StreamedPage>; first: StreamedPage; closed: () => void },
  ) {
    const { reply } = request;
    this.#options = options;
    this.#request = request;
    this.#follower = follower;
    this.#closed = closed;
    // The access of a user may have changed right before, while its roles were cached. Backends have none.
    this.#checkAt = request.request.user ? Date.now() + ACCESS_CHECK_MS : nextCheck(undefined);
    this.#raw = reply.hijack().raw;
    this.#raw.writeHead(200, {
      ...buildHeaders(reply),
      "content-type": "text/event-stream",
      // Proxies that compress would hold messages back until a block is full.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    // Sent by themselves, the headers become one text. Node would keep the 35 parts of a longer one: 0.9 kB a stream.
    this.#raw.flushHeaders();
    this.#raw.write(`retry: ${RETRY_MS}\n\n`);
    this.#raw.write(serializeEvents(first));
    this.#raw.on("close", this.#wake);
    this.#wake();
  }

  /** Sends what there is, and then waits to be woken. */
  async #advance(): Promise<void> {
    try {
      // A response stays writable when its client leaves.
      while (!this.#raw.destroyed) {
        const step = await this.#follower.next();
        if (!step) return this.#wait();
        await this.#send(step);
        if (step.reason === "ended") break;
      }
    } catch (err) {
      // The client connects again and gets the error.
      this.#options.log.debug({ err }, "an event stream ended");
    }
    this.#close();
  }

  #wait(): void {
    if (this.#isClosed) return;
    const waitMs = Math.min(HEARTBEAT_SECONDS * 1000, this.#checkAt - Date.now());
    this.#follower.wait(Math.max(waitMs, 1), this.#wake);
  }

  async #send({ reason, page, unlogged = [] }: EventStep<StreamedPage>): Promise<void> {
    const { limits, closing, checkCaller } = this.#options;
    const checksAccess = reason === "accessCheckDue" || Date.now() >= this.#checkAt;
    await checkCaller(this.#request, checksAccess);
    if (checksAccess) this.#checkAt = nextCheck(this.#request.request.user);
    if (reason === "unlogged") this.#raw.write(serializeUnlogged(unlogged, page));
    else if (reason !== "accessCheckDue") this.#raw.write(serializeEvents(page));
    if (this.#raw.writableLength > limits.maxUnreadBytes) {
      await untilRead(this.#raw, AbortSignal.any([AbortSignal.timeout(limits.unreadMs), closing]));
    }
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#follower.end();
    this.#closed();
    if (this.#raw.writableLength > this.#options.limits.maxUnreadBytes) this.#raw.destroy();
    else this.#raw.end();
  }
}

/** Returns the time of the next access check of a user: when the token or a permission in it ends, or in a while. */
function nextCheck(user: EndUser | undefined): number {
  const now = Date.now();
  const ends = user ? getEnds(user).filter((end) => end > now) : [];
  return Math.min(now + randomInt(CHECK_MS.min, CHECK_MS.max), ...ends);
}

/** Resolves when the client has read what waits for it. Throws if the signal aborts before; it resumes elsewhere. */
async function untilRead(raw: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(raw, "drain", { signal });
}

/** Returns the headers that hooks have set, such as those for web pages of other origins. */
function buildHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

function serializeEvents({ events, cursor, isReset }: StreamedPage): string {
  if (isReset) return `id: ${cursor}\nevent: reset\ndata: {}\n\n`;
  // A page without events gives the client the cursor to resume from, and keeps the connection open.
  if (events.length === 0) return `: ${HEARTBEAT_SECONDS} s\nid: ${cursor}\n\n`;
  return events
    .map(({ cursor: id, event, ...data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
}

/** Serializes unlogged events with the cursor of the log. A client that resumes there gets the newest ones anyway. */
function serializeUnlogged(unlogged: readonly UnloggedEvent[], { cursor }: StreamedPage): string {
  return unlogged.map(({ event, data }) => `id: ${cursor}\nevent: ${event}\ndata: ${data}\n\n`).join("");
}
