import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { RETRY_AFTER_SECONDS } from "../contract/errors.ts";
import { buildErrorBody, sendResponse, takeRequests } from "./raw-response.ts";

const STARTING = buildErrorBody("starting", { reading: "starting", writing: "starting" });

/**
 * Responds to requests instead of the server's own handlers: `/healthz` is 200, everything else UNAVAILABLE. Returns
 * the function that restores the server's handlers.
 */
export function respondWhileStarting(server: Server): () => void {
  const handle = takeRequests(server);
  server.on("request", respond);
  return () => {
    server.off("request", respond);
    server.on("request", handle);
  };
}

function respond({ method, url }: IncomingMessage, response: ServerResponse): void {
  if ((method === "GET" || method === "HEAD") && url?.split("?", 1)[0] === "/healthz") {
    sendResponse(response, 200, '{"status":"ok"}');
    return;
  }
  sendResponse(response, 503, STARTING, { "retry-after": String(RETRY_AFTER_SECONDS), "cache-control": "no-store" });
}
