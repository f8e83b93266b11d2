import { type IncomingMessage, METHODS, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ERROR_KINDS, ServiceError } from "../contract/errors.ts";
import { buildErrorBody, buildResponseHeaders } from "./raw-response.ts";
import { isUploading } from "./read-upload.ts";
import { errorBody } from "./response.ts";
import { type AllowedMethods, createMethodError, getRouteError, type RouteError } from "./unrouted.ts";

// Responses to errors that Node handles before a request reaches Fastify, in the shape of every other response.

/** Connections on which a request was rejected because of its headers, before Node found the same error. */
const rejectedSockets = new WeakSet<Socket>();

const HOST = "host";

/** Matches the first line of a request, such as `FOO / HTTP/1.1`, with its method and URL. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]\r?\n/;
/** Reasons by the code of Node's error. */
const REASONS_BY_CODE = new Map<string | undefined, "request_timeout" | "headers_too_large">([
  ["ERR_HTTP_REQUEST_TIMEOUT", "request_timeout"],
  ["HPE_HEADER_OVERFLOW", "headers_too_large"],
]);

interface ClientError extends Error {
  code?: string;
  rawPacket?: unknown;
}

/** Responds to bytes that are not an HTTP request, or not all of one in time. */
export function rejectMalformedHttp(error: ClientError, socket: Socket, allowedMethods: AllowedMethods): void {
  // Node's limit of a request is too short for an upload, which has its own.
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isUploading(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (rejectedSockets.has(socket)) return void socket.end();
  const url = getUnknownMethodUrl(error);
  const reason = REASONS_BY_CODE.get(error.code) ?? "request_invalid";
  const malformed = { error: new ServiceError(reason, ERROR_KINDS[reason].meaning), headers: {} };
  reject(socket, url === undefined ? malformed : getRouteError(url, allowedMethods));
}

/** Returns the URL of a request that Node rejected for its method. Other bytes than a request have no method either. */
function getUnknownMethodUrl({ code, rawPacket }: ClientError): string | undefined {
  const [, method, url] = (code === "HPE_INVALID_METHOD" && REQUEST_LINE.exec(String(rawPacket))) || [];
  return method !== undefined && !METHODS.includes(method) ? url : undefined;
}

/** Rejects CONNECT, which Node passes neither to Fastify nor to `clientError`. Its URL has no path. */
export function rejectConnect(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => reject(socket, createMethodError("POST")));
}

function reject(socket: Duplex, { error, headers }: RouteError): void {
  const body = errorBody(error);
  const head = { ...buildResponseHeaders(body), ...headers, connection: "close" };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const { httpStatus } = error;
  socket.end(`HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}\r\n${lines.join("")}\r\n${body}`);
}

/** Rejects an `Expect` header that Node does not meet itself; it meets only `100-continue`. */
export function rejectUnmetExpectations(server: Server): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const body = buildErrorBody("expectation_unmet");
    response.writeHead(417, buildResponseHeaders(body)).end(body);
    request.resume();
  });
}

/** Returns what is wrong with the headers of a request that Node accepts. */
export function findHeaderError(request: IncomingMessage): ServiceError | undefined {
  const error = findHostError(request) ?? findTransferCodingError(request);
  if (error) rejectedSockets.add(request.socket);
  return error;
}

/** Returns the error for a transfer coding other than chunked, whose bytes Node would pass on undecoded. */
function findTransferCodingError({
  headers: { "transfer-encoding": coding },
}: IncomingMessage): ServiceError | undefined {
  if (coding === undefined || coding.toLowerCase() === "chunked") return undefined;
  return new ServiceError("transfer_coding_unknown", "The only known Transfer-Encoding is chunked.");
}

/** Returns an error unless HTTP/1.1 has one Host header (RFC 9112, section 3.2). Node drops all but the first. */
function findHostError({ rawHeaders, httpVersion }: IncomingMessage): ServiceError | undefined {
  let hosts = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++;
  }
  if (hosts > 1) return new ServiceError("request_invalid", "The request has several Host headers.");
  if (hosts === 1 || httpVersion !== "1.1") return undefined;
  return new ServiceError("request_invalid", "The request has no Host header.");
}
