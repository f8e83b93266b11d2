import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { RETRY_AFTER_SECONDS } from "../contract/errors.ts";
import { failureBody, sendAnswer, takeRequests } from "./raw-answer.ts";

const STARTING = failureBody("starting", { reading: "starting", writing: "starting" });

/**
 * Answers requests instead of the server's own handlers: `/healthz` is 200, everything else UNAVAILABLE. Returns the
 * function that restores the server's handlers.
 */
export function answerWhileStarting(server: Server): () => void {
  const handle = takeRequests(server);
  server.on("request", answer);
  return () => {
    server.off("request", answer);
    server.on("request", handle);
  };
}

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  if ((method === "GET" || method === "HEAD") && url?.split("?", 1)[0] === "/healthz") {
    sendAnswer(response, 200, '{"status":"ok"}');
    return;
  }
  sendAnswer(response, 503, STARTING, { "retry-after": String(RETRY_AFTER_SECONDS), "cache-control": "no-store" });
}
