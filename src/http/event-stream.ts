import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Limits } from "../config/limits.ts";
import { type EndUser, endsOf } from "../contract/end-user.ts";
import { invalidField, ServiceError } from "../contract/errors.ts";
import { ACCESS_CHECK_MS, type EventStep } from "../contract/event-reading.ts";
import type { AuthenticatedOperation, Context } from "../contract/operation.ts";
import { EVENT_STREAM_PATH, REPEATED_PARAMETERS } from "./event-stream-path.ts";
import { findCaller } from "./find-caller.ts";
import { admit, contextOf, type OperationRoutesOptions, RequestChecks, releaseLimits } from "./operation-routes.ts";
import { parametersOf, queryOf } from "./query.ts";

/** Interval of the comments that keep proxies from closing an idle stream. */
const HEARTBEAT_SECONDS = 15;
/**
 * Shortest and longest time after which the access of a user is checked although nothing has told of a change. Streams
 * that were opened together are not checked together.
 */
const CHECK_MS = { min: 300_000, max: 600_000 };
/** Time after which a client connects again. */
const RETRY_MS = 2_000;

/** A page of events. */
interface StreamedPage {
  events: readonly { event: string; cursor: string }[];
  cursor: string;
  isReset?: true;
}

/** The operation that reads events, and what goes on reading for a request of it. */
export interface EventSource {
  operation: AuthenticatedOperation;
  /** Goes on reading: yields events, that the time to wait is over, and that the caller must be checked. */
  follow(
    context: Context<unknown>,
    data: object,
    options: { timeToWait: () => number; checksCaller: true },
  ): AsyncGenerator<EventStep<StreamedPage>, EventStep<StreamedPage>>;
  /** Told of each stream that opens. Returns what is told of its end. */
  opened(context: Context<unknown>, data: object): () => void;
  limits: Limits["streams"];
}

/**
 * Adds the stream of events (Server-Sent Events). The query has the fields of a request of the operation, and
 * `Last-Event-ID` the cursor of a client that connects again.
 */
export function addEventStream(
  server: FastifyInstance,
  { operation, follow, opened, limits }: EventSource,
  options: OperationRoutesOptions,
): void {
  const checks = new RequestChecks(operation, options.findRoles);
  /** Number of open streams, by workspace. */
  const open = new Map<string, number>();

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.permit = await admit(request, options.admission);
    const data = await checks.dataOf(request, { data: fieldsOf(request) });
    const workspaceId = request.workspace?.id ?? "";
    const count = open.get(workspaceId) ?? 0;
    if (count >= limits.maxOfWorkspace) throw tooMany(limits.maxOfWorkspace);
    open.set(workspaceId, count + 1);
    const leave = () => {
      const left = (open.get(workspaceId) ?? 1) - 1;
      if (left > 0) open.set(workspaceId, left);
      else open.delete(workspaceId);
    };
    try {
      const send = await begin(request, reply, data);
      // Fastify forgets the request, which is answered by itself from here on.
      void send().finally(leave);
    } catch (error) {
      leave();
      throw error;
    }
    return reply;
  }

  /** Reads until where a stream begins, and answers its headers. Returns the function that sends the stream. */
  async function begin(request: FastifyRequest, reply: FastifyReply, data: object): Promise<() => Promise<void>> {
    const context = { ...contextOf({ request, reply, operation }, options), cursor: undefined };
    // Nobody tells of a change of access right before. Backends have no cached roles.
    let checkAt = request.user ? Date.now() + ACCESS_CHECK_MS : nextCheck(undefined);
    let isOpen = false;
    // The first step does not wait for events, so that a client that resumes soon knows that it is connected.
    const timeToWait = () => (isOpen ? Math.max(Math.min(HEARTBEAT_SECONDS * 1000, checkAt - Date.now()), 1) : 1);
    const steps = follow(context, data, { timeToWait, checksCaller: true });
    // What is wrong with the request is answered as by any operation; nothing has been sent yet.
    let step = await steps.next();
    isOpen = true;
    releaseLimits(request);
    const { raw } = reply.hijack();
    raw.writeHead(200, {
      ...headersOf(reply),
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    // Sent by themselves, the headers become one text. Node would keep the 35 parts of a longer one: 0.9 kB a stream.
    raw.flushHeaders();
    raw.write(`retry: ${RETRY_MS}\n\n`);
    const closed = opened(context, data);
    return async () => {
      try {
        // A response stays writable when its client leaves.
        while (!raw.destroyed) {
          const { reason, answer } = step.value;
          if (reason === "accessCheckDue" || Date.now() >= checkAt) {
            await checks.authorize(request, data);
            checkAt = nextCheck(request.user);
          }
          if (reason !== "accessCheckDue") raw.write(textOf(answer));
          if (step.done) break;
          if (raw.writableLength > limits.maxUnreadBytes) await untilRead(raw, limits.unreadMs);
          step = await steps.next();
        }
      } catch (err) {
        // The client connects again and is told what is wrong.
        options.log.debug({ err }, "an event stream ended");
      } finally {
        closed();
        await steps.return(step.value);
      }
      if (raw.writableLength > limits.maxUnreadBytes) raw.destroy();
      else raw.end();
    };
  }

  server.route({
    method: "GET",
    url: EVENT_STREAM_PATH,
    exposeHeadRoute: false,
    config: { operation },
    onRequest: (request, reply) => findCaller({ request, reply, operation }, options),
    handler: handle,
  });
}

/** Returns when the access of a user is checked by itself: when the token or a permission in it ends, or in a while. */
function nextCheck(user: EndUser | undefined): number {
  const now = Date.now();
  const ends = user ? endsOf(user).filter((end) => end > now) : [];
  return Math.min(now + randomInt(CHECK_MS.min, CHECK_MS.max), ...ends);
}

/** Resolves when the client has read what waits for it. Throws if it does not in time. */
async function untilRead(raw: ServerResponse, timeoutMs: number): Promise<void> {
  await once(raw, "drain", { signal: AbortSignal.timeout(timeoutMs) });
}

function tooMany(max: number): ServiceError {
  return new ServiceError(
    "too_many_streams",
    `The workspace has ${max} event streams open at this process, which is the most. Close some, or retry.`,
  );
}

/** Returns the fields of the request in the query and the header. */
function fieldsOf({ url, headers }: FastifyRequest): object {
  const query = parametersOf(queryOf(url), REPEATED_PARAMETERS);
  for (const name of ["waitSeconds", "pageSize"]) {
    if (query.has(name)) throw invalidField(`data.${name}`, "is not a parameter of the stream");
  }
  const { kinds, inbox, ...fields } = Object.fromEntries(query);
  const lastEventId = headers["last-event-id"];
  return {
    ...fields,
    ...(query.has("documentIds") && { documentIds: query.getAll("documentIds") }),
    ...(kinds !== undefined && { kinds: kinds.split(",") }),
    ...(inbox !== undefined && { inbox: inbox === "true" || inbox }),
    ...(typeof lastEventId === "string" && lastEventId !== "" && { cursor: lastEventId }),
  };
}

/** Returns the headers that hooks have set, such as those for pages of other origins. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

function textOf({ events, cursor, isReset }: StreamedPage): string {
  if (isReset) return `id: ${cursor}\nevent: reset\ndata: {}\n\n`;
  // An answer without events tells the client from where to resume, and keeps the connection.
  if (events.length === 0) return `: ${HEARTBEAT_SECONDS} s\nid: ${cursor}\n\n`;
  return events
    .map(({ cursor: id, event, ...data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
}
