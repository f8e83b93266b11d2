import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { FAILURES, RETRY_AFTER_SECONDS } from "../contract/errors.ts";
import { errorBody, JSON_TYPE } from "./answer.ts";

/**
 * Answers requests in place of the server's own handlers: `/healthz` is 200, everything else UNAVAILABLE. Returns the
 * function that restores the server's handlers.
 */
export function answerWhileStarting(server: Server): () => void {
  const handlers = server.listeners("request").filter(isRequestListener);
  server.removeAllListeners("request");
  server.on("request", answer);
  return () => {
    server.off("request", answer);
    for (const handler of handlers) server.on("request", handler);
  };
}

/** Holds because listeners of this event are added by the type of the event. */
function isRequestListener(listener: unknown): listener is RequestListener {
  return typeof listener === "function";
}

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  if ((method === "GET" || method === "HEAD") && url?.split("?", 1)[0] === "/healthz") {
    send(response, 200, '{"status":"ok"}');
    return;
  }
  const { status, meaning: message } = FAILURES.starting;
  response.setHeader("retry-after", RETRY_AFTER_SECONDS);
  response.setHeader("cache-control", "no-store");
  const details = { reason: "starting", reading: "starting", writing: "starting" };
  send(response, 503, errorBody({ status, message, details }));
}

function send(response: ServerResponse, httpStatus: number, body: string): void {
  response.writeHead(httpStatus, {
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(body),
    "x-request-id": randomUUID(),
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
