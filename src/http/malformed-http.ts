import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errorBody, JSON_TYPE } from "./answer.ts";

// Answers to faults that Node handles before a request reaches Fastify, in the shape of every other answer.

/** Answers bytes that are no HTTP request, or not all of one in time. */
export function refuseMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const isTimeout = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const body = bodyOf(isTimeout ? "The request did not arrive in time." : "This is not a well-formed HTTP request.");
  const head = { ...headersOf(body), connection: "close" };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = isTimeout ? "408 Request Timeout" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}

/** Refuses an `Expect` header that Node does not meet itself; it meets only `100-continue`. */
export function refuseUnmetExpectations(server: Server): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf("The header Expect asks for what this service does not do.");
    response.writeHead(417, headersOf(body)).end(body);
    request.resume();
  });
}

function bodyOf(message: string): string {
  return errorBody({ message, status: "INVALID_ARGUMENT", details: { reason: "request_invalid" } });
}

function headersOf(body: string): Record<string, string | number> {
  return { "content-type": JSON_TYPE, "x-request-id": randomUUID(), "content-length": Buffer.byteLength(body) };
}
