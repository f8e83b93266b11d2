import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";
import { RETRY_AFTER_SECONDS } from "../contract/errors.ts";
import { FairSemaphore, type Permit } from "../database/fair-semaphore.ts";
import { credentialHeaders } from "./authentication.ts";
import { failureBody, sendAnswer, takeRequests } from "./raw-answer.ts";

const OVERLOADED = failureBody("overloaded");

export interface RequestGateOptions extends Pick<Config, "maxConcurrentRequests" | "authHeaderBrands"> {
  limits: Pick<Config["limits"], "gate">;
  countRefusal(): void;
}

/**
 * Number of requests that Fastify handles for each permit of admission. Two, so that some are authenticated and can
 * queue by workspace.
 */
const HANDLED_PER_PERMIT = 2;

/** The permits of requests that have passed a gate. */
const permits = new WeakMap<IncomingMessage, Permit>();

/** Lets another request pass the gate, while this one waits for something outside of the service's work. */
export function leaveGate(request: IncomingMessage): void {
  permits.get(request)?.release();
}

/**
 * Limits the requests in Fastify at a time, so that 10,000 callers at once do not delay everybody. The others queue in
 * front of it by their credentials. GET requests (pages and probes) bypass it.
 */
export function registerRequestGate(
  server: Server,
  { limits, maxConcurrentRequests, authHeaderBrands, countRefusal }: RequestGateOptions,
): void {
  const gate = new FairSemaphore(
    { ...limits.gate, maxPermits: HANDLED_PER_PERMIT * maxConcurrentRequests, isNewestFirst: true },
    new Error("the gate is closed"),
  );
  const headerNames = [...credentialHeaders(authHeaderBrands), "authorization", "cookie"];
  const handle = takeRequests(server);

  /** Returns a text that callers with different credentials do not share. */
  function callerOf({ headers, socket }: IncomingMessage): string {
    const credentials = headerNames.flatMap((name) => headers[name] ?? []);
    return credentials.length > 0 ? credentials.join("\0") : (socket.remoteAddress ?? "");
  }

  function pass(request: IncomingMessage, response: ServerResponse, permit: Permit): void {
    permits.set(request, permit);
    response.once("close", () => permit.release());
    handle(request, response);
  }

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST") return void handle(request, response);
    const permit = gate.acquire(callerOf(request), () => request.socket.destroyed);
    if (!(permit instanceof Promise)) return pass(request, response, permit);
    permit.then(
      (later) => pass(request, response, later),
      () => {
        // A request whose client has disconnected while it waited was not refused.
        if (request.socket.destroyed) return;
        countRefusal();
        refuse(request, response);
      },
    );
  });
}

/**
 * Keeps the connection if the body has arrived: callers that connect anew cost more than callers that ask again, and
 * new connections of others, such as probes, would wait behind them.
 */
function refuse({ complete }: IncomingMessage, response: ServerResponse): void {
  sendAnswer(response, 503, OVERLOADED, {
    "retry-after": String(RETRY_AFTER_SECONDS),
    "cache-control": "no-store",
    ...(complete ? {} : { connection: "close" }),
  });
}
