import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";
import { RETRY_AFTER_SECONDS } from "../contract/errors.ts";
import { FairSemaphore, type Permit } from "../database/fair-semaphore.ts";
import { credentialHeaders } from "./authentication.ts";
import { failureBody, sendAnswer, takeRequests } from "./raw-answer.ts";

const OVERLOADED = failureBody("overloaded");

/**
 * Limits the requests that the server's handler has at a time, so that 10,000 callers at once do not delay everybody:
 * the others wait in front of it. Callers take turns by the credentials that they send. Requests that read pages and
 * probes pass.
 */
export function limitHandledRequests(
  server: Server,
  { limits, authHeaderBrands }: Pick<Config, "limits" | "authHeaderBrands">,
): void {
  const gate = new FairSemaphore(limits.gate, new Error("the gate is closed"));
  const headerNames = [...credentialHeaders(authHeaderBrands), "cookie"];
  const handle = takeRequests(server);

  /** Returns a text that callers with different credentials do not share. */
  function callerOf({ headers, socket }: IncomingMessage): string {
    const credentials = headerNames.flatMap((name) => headers[name] ?? []);
    return credentials.length > 0 ? credentials.join("\0") : (socket.remoteAddress ?? "");
  }

  function pass(request: IncomingMessage, response: ServerResponse, permit: Permit): void {
    response.once("close", () => permit.release());
    handle(request, response);
  }

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST") return void handle(request, response);
    const permit = gate.acquire(callerOf(request), () => request.socket.destroyed);
    if (!(permit instanceof Promise)) return pass(request, response, permit);
    permit.then(
      (later) => pass(request, response, later),
      () => refuse(response),
    );
  });
}

function refuse(response: ServerResponse): void {
  sendAnswer(response, 503, OVERLOADED, {
    "retry-after": String(RETRY_AFTER_SECONDS),
    "cache-control": "no-store",
    connection: "close",
  });
}
