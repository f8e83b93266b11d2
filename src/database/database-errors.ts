import pg from "pg";

/** Why a database cannot do what it is asked at present; a reason of the error catalogue. */
export type Unavailability = "storage_full" | "database_read_only" | "database_unavailable" | "overloaded";

/** SQLSTATE codes of temporary failures: connection lost, out of resources, shutting down, read-only, timeout. */
const UNAVAILABLE_STATES = /^(08|53|57P|58)|^(57014|25006|40001|40P01|55P03|25P03)$/;

/** What only an operator can mend, by the beginning of the SQLSTATE code of a connection or a statement. */
const REJECTIONS = [
  ["28", "The database rejects the credentials of DATABASE_URL"],
  ["3D", "The database of DATABASE_URL does not exist"],
  ["42501", "The user of DATABASE_URL lacks a privilege"],
  ["XX001", "PostgreSQL reports damaged data"],
  ["XX002", "PostgreSQL reports a damaged index"],
] as const;

/** SQLSTATE codes of temporary failures after which PostgreSQL has rolled back: deadlocks and locks of others. */
const ROLLED_BACK_STATES = /^(40001|40P01|55P03)$/;

/** SQLSTATE code of a statement that has waited for a lock longer than lock_timeout. */
const LOCK_NOT_AVAILABLE = "55P03";

/** SQLSTATE code of a write to a standby, or to a database that an administrator has made read-only. */
const READ_ONLY = "25006";

/** More specific reasons, by SQLSTATE code. */
const REASONS = new Map<string | undefined, Unavailability>([
  ["53100", "storage_full"],
  [READ_ONLY, "database_read_only"],
]);

const UNREACHABLE_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND"],
  ...["EAI_AGAIN", "EACCES"],
]);

/** System calls of sockets. The same codes from a file system call or from listen() do not concern the database. */
const SOCKET_CALLS = new Set(["connect", "read", "write", "getaddrinfo"]);

/** Beginnings of the messages of errors that `pg` throws without a code when a connection is lost or unavailable. */
const CONNECTION_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  "Query read timeout",
  "Cannot use a pool after calling end",
];

/** Messages of Citus about a server that has been killed. They have no codes of their own. */
const CITUS_ENDS = new Set([
  "postmaster was shut down, exiting",
  "terminating connection due to unexpected postmaster exit",
]);

/**
 * Beginnings of the messages of Citus when it has lost a node, before a transaction, within one, or while it commits.
 * They have no codes of their own.
 */
const CITUS_NODE_LOST = [
  "could not connect to any active placements",
  "failure on connection marked as essential",
  "could not commit transaction for shard",
];

/** Error of all statements, also those in progress, while the database does not respond. */
export class DatabaseUnresponsiveError extends Error {
  constructor() {
    super("the database has not responded for several seconds");
  }
}

/** Error of all statements while PostgreSQL rejects connections, such as after a change of the password. */
export class ConnectionRejectedError extends Error {
  readonly code: string | undefined;

  constructor(cause: pg.DatabaseError) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

/** Error of an attempt to connect while no host of DATABASE_URL can be written. */
export class NoPrimaryError extends Error {}

/** Error of all statements on a host that is no longer the primary. */
export class PrimaryChangedError extends Error {
  constructor() {
    super("another host of the database is the primary now");
  }
}

/** Error of a statement that has waited too long for a connection that it may use. */
export class DatabaseBusyError extends Error {
  constructor() {
    super("all database connections that the workspace may use are busy");
  }
}

const UNAVAILABILITY_CLASSES = [
  ...[DatabaseUnresponsiveError, ConnectionRejectedError, DatabaseBusyError],
  ...[NoPrimaryError, PrimaryChangedError],
];

/**
 * Returns whether PostgreSQL itself reports that a statement has failed and changed nothing. After a lost connection or
 * a timeout, also one that PostgreSQL reports, the statement may have been committed, on Citus by another node.
 */
export function isRolledBack(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return !isDatabaseUnavailable(error) || ROLLED_BACK_STATES.test(error.code ?? "");
}

/** Returns whether a statement has waited for a lock longer than lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

/** Returns whether the database is unavailable, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  if (UNAVAILABILITY_CLASSES.some((errorClass) => error instanceof errorClass)) return true;
  if (error instanceof pg.DatabaseError) {
    if (UNAVAILABLE_STATES.test(error.code ?? "") || getRejection(error) !== undefined) return true;
    return isServerEnding(error) || startsWith(error, CITUS_NODE_LOST);
  }
  if ("code" in error && "syscall" in error) {
    return UNREACHABLE_CODES.has(String(error.code)) && SOCKET_CALLS.has(String(error.syscall));
  }
  return startsWith(error, CONNECTION_MESSAGES);
}

/** Returns what an operator must mend before the database is available, or undefined for any other error. */
export function getRejection(error: unknown): string | undefined {
  const isRejected = error instanceof ConnectionRejectedError;
  if (!isRejected && !(error instanceof pg.DatabaseError)) return undefined;
  const { code = "" } = error;
  const known = REJECTIONS.find(([beginning]) => code.startsWith(beginning))?.[1];
  return known ?? (isRejected ? "The database rejects connections" : undefined);
}

function startsWith({ message }: Error, beginnings: string[]): boolean {
  return beginnings.some((beginning) => message.startsWith(beginning));
}

/**
 * Returns whether the connection of a failed statement stays usable. On Citus, a new one has to connect to the nodes
 * again, which would delay the requests of all organizations while those of one node fail. A connection on which
 * nothing can be written may lead to a former primary, and a new one to another server.
 */
export function isConnectionKept(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isServerEnding(error) && error.code !== READ_ONLY;
}

/** Returns whether the error says that its server ends. */
function isServerEnding({ code, message }: pg.DatabaseError): boolean {
  return code?.startsWith("57P") || CITUS_ENDS.has(message);
}

/** Returns why the database is unavailable, or undefined for any other error. */
export function getUnavailability(error: unknown): Unavailability | undefined {
  if (!isDatabaseUnavailable(error)) return undefined;
  if (error instanceof DatabaseBusyError) return "overloaded";
  const reason = error instanceof pg.DatabaseError ? REASONS.get(error.code) : undefined;
  return reason ?? "database_unavailable";
}
