import { randomUUID } from "node:crypto";
import type { OutgoingHttpHeaders, RequestListener, Server, ServerResponse } from "node:http";
import { ERROR_KINDS, type Reason } from "../contract/errors.ts";
import { errorBody, JSON_TYPE } from "./response.ts";

// Responses that are sent without Fastify, in the shape of every other response.

/** Returns the body of an error whose message is the meaning of its reason. */
export function buildErrorBody(reason: Reason, details: object = {}): string {
  const { meaning, status } = ERROR_KINDS[reason];
  return errorBody({ message: meaning, status, details: { reason, ...details } });
}

/** Returns the headers of a response with this body, which browsers must neither sniff nor store. */
export function buildResponseHeaders(body: string): Record<string, string | number> {
  return {
    "content-type": JSON_TYPE,
    "x-request-id": randomUUID(),
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** Sends a response. */
export function sendResponse(
  response: ServerResponse,
  httpStatus: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(httpStatus, { ...buildResponseHeaders(body), ...headers }).end(body);
}

/** Takes the requests of a server over. Returns the handler that they had until then. */
export function takeRequests(server: Server): RequestListener {
  const handlers = server.listeners("request").filter(isRequestListener);
  server.removeAllListeners("request");
  return (request, response) => {
    for (const handler of handlers) handler(request, response);
  };
}

/** Holds because listeners of this event are added by the type of the event. */
function isRequestListener(listener: unknown): listener is RequestListener {
  return typeof listener === "function";
}
