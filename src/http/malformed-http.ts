import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { FAILURES, type Reason } from "../contract/errors.ts";
import { errorBody, JSON_TYPE } from "./answer.ts";

// Answers to faults that Node handles before a request reaches Fastify, in the shape of every other answer.

interface MalformedHttp {
  reason: Reason;
  statusLine: string;
}

const MALFORMED: MalformedHttp = { reason: "request_invalid", statusLine: "400 Bad Request" };
/** Faults by the code of Node's error. */
const FAULTS = new Map<string, MalformedHttp>([
  ["ERR_HTTP_REQUEST_TIMEOUT", { reason: "request_timeout", statusLine: "408 Request Timeout" }],
  ["HPE_HEADER_OVERFLOW", { reason: "headers_too_large", statusLine: "400 Bad Request" }],
]);

/** Answers bytes that are no HTTP request, or not all of one in time. */
export function refuseMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const { reason, statusLine } = FAULTS.get(error.code ?? "") ?? MALFORMED;
  const body = bodyOf(reason);
  const head = { ...headersOf(body), connection: "close" };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusLine}\r\n${lines.join("")}\r\n${body}`);
}

/** Refuses an `Expect` header that Node does not meet itself; it meets only `100-continue`. */
export function refuseUnmetExpectations(server: Server): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf("expectation_unmet");
    response.writeHead(417, headersOf(body)).end(body);
    request.resume();
  });
}

function bodyOf(reason: Reason): string {
  const { meaning, status } = FAILURES[reason];
  return errorBody({ message: meaning, status, details: { reason } });
}

function headersOf(body: string): Record<string, string | number> {
  return { "content-type": JSON_TYPE, "x-request-id": randomUUID(), "content-length": Buffer.byteLength(body) };
}
