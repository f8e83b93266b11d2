import pg from "pg";

/** SQLSTATE that says "not now": connection lost, out of resources, shutting down, read-only, timeout. */
const UNAVAILABLE_STATES = /^(08|53|57P|58)|^(57014|25006|40001|40P01|55P03|25P03)$/;

const UNREACHABLE_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND"],
  ...["EAI_AGAIN", "EACCES"],
]);

/** What a socket does; the same codes from a file system or of the port to listen on are no fault of the database. */
const SOCKET_CALLS = new Set(["connect", "read", "write", "getaddrinfo"]);

/** How begins what `pg` says, without a code, of a connection that ended or could not be had. */
const CONNECTION_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  "Query read timeout",
  "Cannot use a pool after calling end",
];

/** Whether the database, and not the statement, is at fault: the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.test(error.code ?? "");
  if ("code" in error && "syscall" in error) {
    return UNREACHABLE_CODES.has(String(error.code)) && SOCKET_CALLS.has(String(error.syscall));
  }
  return CONNECTION_MESSAGES.some((beginning) => error.message.startsWith(beginning));
}
