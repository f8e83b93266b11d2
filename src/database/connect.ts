import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { getHostAddresses } from "../config/database-address.ts";
import { describeReason, withBriefConnection } from "./brief-connection.ts";
import { type Database, openDatabase } from "./database.ts";
import { getRejection, isDatabaseUnavailable, NoPrimaryError } from "./database-errors.ts";
import { borrowEmbeddedDatabase, startEmbeddedDatabase } from "./embedded.ts";
import { findPrimary, getAddress } from "./hosts.ts";

/** Error whose message says why the database cannot be used and what to change. */
class DatabaseUnusable extends Error {}

const STANDBY = "it is a standby, which cannot be written; set DATABASE_URL to its primary, or promote it";

export interface ConnectedDatabase {
  database: Database;
  /** Closes the pool, then stops the embedded server if this connection started it. */
  close(): Promise<void>;
}

const OLDEST_VERSION = 15;
/** Group of the coordinator among the nodes of a Citus cluster. */
const COORDINATOR_GROUP = 0;
const ATTEMPT_TIMEOUT_MS = 5_000;
const RETRY_MS = 1_000;
/** Number of times that two clients are asked for their sessions, since others of a pooler may take turns with them. */
const SESSION_ATTEMPTS = 3;
/** Size of a command's pool; a command runs one statement at a time. */
const COMMAND_POOL_MAX = 2;
/** Connections of a service process beside its pool: for notifications, and for migrations. */
const FURTHER_CONNECTIONS = 2;
/** Connections that the embedded database has for commands and operators. */
const COMMANDS_CONNECTIONS = 50;

/** How to open a database. */
export interface DatabaseAccess {
  /** The server, or the primary among the hosts. */
  connection: pg.ClientConfig;
  /** All hosts of DATABASE_URL, if it names several. */
  hosts?: pg.ClientConfig[];
  /** Whether the database has the Citus extension. */
  isDistributed: boolean;
}

/** A server that responds, and how to open its database. */
export interface DatabaseServer extends DatabaseAccess {
  /** Stops the embedded server if this process started it. */
  stop(): Promise<void>;
}

/**
 * Connects to the database of `config`: DATABASE_URL, for which it waits while it is away, or the embedded one. A
 * service takes the embedded database exclusively; a command shares it with a running service. Throws DatabaseUnusable,
 * ConfigurationError, an error of the embedded database, or the reason of `signal`, which ends the waiting.
 */
export async function connectDatabase(
  config: Config,
  log: Logger,
  mode: "service" | "command",
  signal?: AbortSignal,
): Promise<ConnectedDatabase> {
  const poolMax = mode === "service" ? config.databasePoolMax : Math.min(config.databasePoolMax, COMMAND_POOL_MAX);
  const { stop, ...access } = await openDatabaseServer(config, log, mode, signal);
  const database = openDatabase({ ...access, poolMax, turnMs: config.limits.databaseTurnMs, log });
  return { database, close: () => database.close().finally(stop) };
}

/** Starts the embedded database or waits for that of DATABASE_URL, as `connectDatabase` does, and opens no pool. */
export async function openDatabaseServer(
  config: Config,
  log: Logger,
  mode: "service" | "command",
  signal?: AbortSignal,
): Promise<DatabaseServer> {
  signal?.throwIfAborted();
  if (config.databaseUrl !== undefined) {
    const hosts = parseHosts(config.databaseUrl);
    const access = await waitForServer({ hosts, waitMs: config.databaseWaitMs, log, signal });
    return { ...access, ...(hosts.length > 1 && { hosts }), stop: async () => {} };
  }
  const open = mode === "service" ? startEmbeddedDatabase : borrowEmbeddedDatabase;
  const maxConnections = config.processes * (config.databasePoolMax + FURTHER_CONNECTIONS) + COMMANDS_CONNECTIONS;
  const { connection, stop } = await open({ dataDir: config.dataDir, maxConnections, log, signal });
  return { connection, isDistributed: false, stop };
}

/**
 * Returns the connection's configuration. `pg` treats the modes prefer, require and verify-ca as verify-full and warns
 * at every start; naming verify-full avoids the warning. With `uselibpqcompat=true` the modes mean what libpq says.
 */
export function parseConnection(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get("sslmode") ?? "";
  if (["prefer", "require", "verify-ca"].includes(mode) && url.searchParams.get("uselibpqcompat") !== "true") {
    url.searchParams.set("sslmode", "verify-full");
    return { connectionString: url.href };
  }
  return { connectionString: databaseUrl };
}

/** Returns a connection's configuration for each host. */
export function parseHosts(databaseUrl: string): pg.ClientConfig[] {
  return getHostAddresses(databaseUrl).map(parseConnection);
}

/** Returns the address for logs, without user, password and parameters. */
function getTarget(hosts: readonly pg.ClientConfig[]): string {
  const addresses = hosts.map((connection) => getAddress({ connection }));
  return `${addresses.join(",")}${new URL(hosts[0]?.connectionString ?? "").pathname}`;
}

/** Returns how to open the database of the primary. */
async function waitForServer(options: {
  hosts: readonly pg.ClientConfig[];
  waitMs: number;
  log: Logger;
  signal: AbortSignal | undefined;
}): Promise<DatabaseAccess> {
  const { hosts, waitMs, log, signal } = options;
  const target = getTarget(hosts);
  const limits = { limitMs: ATTEMPT_TIMEOUT_MS, signal };
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const { connection } = await findPrimary(hosts, signal);
      return await withBriefConnection(connection, limits, async (client) => {
        const isDistributed = await checkServer(client, target);
        await withBriefConnection(connection, limits, (other) => checkSessions([client, other], target));
        return { connection, isDistributed };
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DatabaseUnusable || error instanceof ConfigurationError) throw error;
      const reason = describeReason(error);
      if (!isDatabaseUnavailable(error) || getRejection(error) !== undefined) {
        throw new DatabaseUnusable(`The database ${target} of DATABASE_URL rejects: ${reason}.`, { cause: error });
      }
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) {
        const waited = waitMs > 0 ? ` within ${waitMs / 1000} s (DATABASE_WAIT_SECONDS)` : "";
        const missing = error instanceof NoPrimaryError ? "written" : "reached";
        const message = `The database ${target} of DATABASE_URL cannot be ${missing}${waited}: ${reason}.`;
        throw new DatabaseUnusable(message, { cause: error });
      }
      log.warn(`waiting for the database ${target}, for ${Math.ceil(leftMs / 1000)} s more: ${reason}`);
      await delay(Math.min(RETRY_MS, leftMs), undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

/** Rejects an outdated server, a standby, and a worker, which lacks the tables that stay on the coordinator. */
async function checkServer(client: pg.Client, target: string): Promise<boolean> {
  const { rows } = await client.query<{ number: number; name: string; isStandby: boolean; isDistributed: boolean }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
      pg_is_in_recovery() as "isStandby", exists (select from pg_extension where extname = 'citus') as "isDistributed"`,
  );
  const version = rows[0];
  if (version && version.number < OLDEST_VERSION * 10_000) {
    throw new DatabaseUnusable(
      `The database ${target} of DATABASE_URL is PostgreSQL ${version.name}; ` +
        `Colloquy needs ${OLDEST_VERSION} or later.`,
    );
  }
  if (version?.isStandby) throw new NoPrimaryError(STANDBY);
  if (!version?.isDistributed) return false;
  const { rows: groups } = await client.query<{ id: number }>("select groupid as id from pg_dist_local_group");
  if (groups[0]?.id === COORDINATOR_GROUP) return true;
  // A migration would create the missing tables again.
  throw new DatabaseUnusable(
    `The database ${target} of DATABASE_URL is a worker of a Citus cluster. Set DATABASE_URL to its coordinator.`,
  );
}

/**
 * Rejects a pooler that gives the session of one client to another between transactions: notifications, locks and
 * prepared statements belong to a session.
 */
async function checkSessions(clients: readonly [pg.Client, pg.Client], target: string): Promise<void> {
  const sessions: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let attempt = 0; attempt < SESSION_ATTEMPTS; attempt++) {
    for (const [index, client] of clients.entries()) {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      for (const { pid } of rows) sessions[index]?.add(pid);
    }
  }
  if (sessions[0].isDisjointFrom(sessions[1])) return;
  throw new DatabaseUnusable(
    `The database ${target} of DATABASE_URL is behind a pooler that shares sessions between clients. ` +
      "Set its mode to session, such as `pool_mode = session` of PgBouncer, or connect to PostgreSQL directly.",
  );
}
