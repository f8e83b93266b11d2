import { type IncomingMessage, METHODS, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Reason, ServiceError } from "../contract/errors.ts";
import { answerHeaders, failureBody } from "./raw-answer.ts";

// Answers to faults that Node handles before a request reaches Fastify, in the shape of every other answer.

/** Connections on which a request for its headers was refused, before Node found the same fault. */
const refusedSockets = new WeakSet<Socket>();

interface MalformedHttp {
  reason: Reason;
  statusLine: string;
}

const MALFORMED: MalformedHttp = { reason: "request_invalid", statusLine: "400 Bad Request" };
const WRONG_METHOD: MalformedHttp = { reason: "method_not_allowed", statusLine: "405 Method Not Allowed" };
/** Matches the first line of a request, such as `FOO / HTTP/1.1`, with its method. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/;
/** Faults by the code of Node's error. */
const FAULTS = new Map<string, MalformedHttp>([
  ["ERR_HTTP_REQUEST_TIMEOUT", { reason: "request_timeout", statusLine: "408 Request Timeout" }],
  ["HPE_HEADER_OVERFLOW", { reason: "headers_too_large", statusLine: "400 Bad Request" }],
]);

/** Answers bytes that are no HTTP request, or not all of one in time. */
export function refuseMalformedHttp(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (refusedSockets.has(socket)) return void socket.end();
  refuse(socket, hasUnknownMethod(error) ? WRONG_METHOD : (FAULTS.get(error.code ?? "") ?? MALFORMED));
}

/** Returns whether Node refused a request for its method. Other bytes than a request have no method either. */
function hasUnknownMethod({ code, rawPacket }: { code?: string; rawPacket?: unknown }): boolean {
  const [, method] = (code === "HPE_INVALID_METHOD" && REQUEST_LINE.exec(String(rawPacket))) || [];
  return method !== undefined && !METHODS.includes(method);
}

/** Refuses CONNECT, which Node passes neither to Fastify nor to `clientError`. */
export function refuseConnect(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => refuse(socket, WRONG_METHOD));
}

function refuse(socket: Duplex, { reason, statusLine }: MalformedHttp): void {
  const body = failureBody(reason);
  const allow = reason === "method_not_allowed" && { allow: "POST" };
  const head = { ...answerHeaders(body), ...allow, connection: "close" };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusLine}\r\n${lines.join("")}\r\n${body}`);
}

/** Refuses an `Expect` header that Node does not meet itself; it meets only `100-continue`. */
export function refuseUnmetExpectations(server: Server): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const body = failureBody("expectation_unmet");
    response.writeHead(417, answerHeaders(body)).end(body);
    request.resume();
  });
}

/** Returns what is wrong with the headers of a request that Node accepts. */
export function headerFault(request: IncomingMessage): ServiceError | undefined {
  const fault = hostFault(request) ?? transferCodingFault(request);
  if (fault) refusedSockets.add(request.socket);
  return fault;
}

/** Returns the fault of a transfer coding other than chunked, whose bytes Node would pass on undecoded. */
function transferCodingFault({ headers: { "transfer-encoding": coding } }: IncomingMessage): ServiceError | undefined {
  if (coding === undefined || coding.toLowerCase() === "chunked") return undefined;
  return new ServiceError("transfer_coding_unknown", "The only known Transfer-Encoding is chunked.");
}

/** Returns the fault unless HTTP/1.1 has one Host header (RFC 9112, section 3.2). Node drops all but the first. */
function hostFault({ rawHeaders, httpVersion }: IncomingMessage): ServiceError | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts > 1) return new ServiceError("request_invalid", "The request has several Host headers.");
  if (hosts === 1 || httpVersion !== "1.1") return undefined;
  return new ServiceError("request_invalid", "The request has no Host header.");
}
