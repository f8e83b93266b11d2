import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Limits } from "../config/limits.ts";
import { FAILURES, RETRY_AFTER_SECONDS } from "../contract/errors.ts";
import { FairSemaphore, type Permit } from "../database/fair-semaphore.ts";
import { errorBody, JSON_TYPE } from "./answer.ts";

const { status, meaning: message } = FAILURES.overloaded;
const BODY = errorBody({ status, message, details: { reason: "overloaded" } });

/**
 * Limits the requests that are authenticated and waiting for their turn, so that 10,000 callers at once do not delay
 * everybody: the others wait in front of the server's handler, where a request costs a tenth. Callers take turns by the
 * credentials that they send. Requests that read pages and probes pass.
 */
export function limitRequestsInside(server: Server, limits: Limits["gate"]): void {
  const gate = new FairSemaphore(limits, new Error("the gate is closed"));
  const handlers = server.listeners("request").filter(isRequestListener);
  server.removeAllListeners("request");

  function pass(request: IncomingMessage, response: ServerResponse, permit: Permit): void {
    response.once("close", () => permit.release());
    for (const handler of handlers) handler(request, response);
  }

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST") {
      for (const handler of handlers) handler(request, response);
      return;
    }
    const permit = gate.acquire(callerOf(request), () => request.socket.destroyed);
    if (!(permit instanceof Promise)) return pass(request, response, permit);
    permit.then(
      (later) => pass(request, response, later),
      () => refuse(response),
    );
  });
}

/** Holds because listeners of this event are added by the type of the event. */
function isRequestListener(listener: unknown): listener is RequestListener {
  return typeof listener === "function";
}

/** Returns a text that callers with different credentials do not share. */
function callerOf({ headers, socket }: IncomingMessage): string {
  const credentials = Object.keys(headers).filter(
    (name) => name === "cookie" || /^x-.*-(api-key|auth-token)$/.test(name),
  );
  if (credentials.length === 0) return socket.remoteAddress ?? "";
  return credentials.map((name) => headers[name]).join("\0");
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, {
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(BODY),
    "retry-after": String(RETRY_AFTER_SECONDS),
    "x-request-id": randomUUID(),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(BODY);
}
