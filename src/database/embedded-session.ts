import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Cluster, errorCode, processExists, SOCKET_PORT, SUPERUSER } from "./embedded-files.ts";
import {
  clearRemains,
  createStartError,
  isPostmaster,
  type Launch,
  launchPostgres,
  readPostmaster,
  shutDown,
} from "./embedded-process.ts";

const POLL_MS = 20;
const START_TIMEOUT_MS = 5 * 60_000;
const MAX_LAUNCHES = 50;

/** Class of the advisory locks ("coll") in the database `postgres` that say who uses the server. */
const LOCK_CLASS = 0x636f6c6c;
/** Lock held exclusively by the service. */
const SERVICE_LOCK = 1;
/** Lock shared by all users of the server, and exclusive for the one that stops it. */
const USE_LOCK = 2;
/** Lock held exclusively while the database is created. */
const CREATION_LOCK = 3;

export const DATABASE_NAME = "colloquy";

/** Connection that holds the locks. It ends with its process, however that ends. */
export interface Session {
  client: pg.Client;
  ended: Promise<unknown>;
  host: string;
  port: number;
}

/** Error of a second service: another process holds the service lock. */
export class ServiceRuns extends Error {
  readonly pid: string;
  constructor(pid: string) {
    super(`Process ${pid} holds the service lock.`);
    this.pid = pid;
  }
}

interface SessionOptions {
  cluster: Cluster;
  service: boolean;
  /** Loopback port to keep across a restart. */
  port?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Connects to the cluster's server, starting it if none runs, and takes the locks. Throws ServiceRuns. After any error,
 * the server does not run unless another process uses it.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  return takeSession(options).catch(async (error: unknown) => {
    await stopUnused(options.cluster).catch(() => undefined);
    throw error;
  });
}

/** Stops the server unless another process uses it. While it recovers from a crash, none does. */
export async function stopUnused(cluster: Cluster): Promise<void> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === undefined || !(await isPostmaster(cluster, postmaster.pid))) return;
  const outcome = await connect(cluster, { port: postmaster.port, service: false });
  if (typeof outcome === "object") await closeSession(outcome, cluster);
  else await shutDown(cluster);
}

async function takeSession(options: SessionOptions): Promise<Session> {
  for (;;) {
    const session = await connectOrStart(options);
    try {
      // This waits while another process stops the server, and then fails with it.
      await session.client.query("select pg_advisory_lock_shared($1, $2)", [LOCK_CLASS, USE_LOCK]);
      if (options.service) await takeServiceLock(session.client);
      await ensureDatabase(session.client, options.cluster.password);
      return session;
    } catch (error) {
      await session.client.end().catch(() => undefined);
      if (!isDisconnection(error)) throw error;
      options.signal?.throwIfAborted();
    }
  }
}

/** Releases the locks and stops the server, unless another process uses it. Returns whether it stopped. */
export async function closeSession({ client }: Session, cluster: Cluster): Promise<boolean> {
  try {
    await client.query("select pg_advisory_unlock_all()");
    const last = await client.query("select pg_try_advisory_lock($1, $2) as taken", [LOCK_CLASS, USE_LOCK]);
    if (!last.rows[0].taken) return false;
    await shutDown(cluster);
    return true;
  } catch (error) {
    // The server has ended meanwhile.
    if (isDisconnection(error)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connectOrStart({ cluster, service, port, signal }: SessionOptions): Promise<Session> {
  let launch: Launch | undefined;
  let error: string | undefined;
  let launches = 0;
  const deadline = Date.now() + START_TIMEOUT_MS;
  try {
    for (; ; await delay(POLL_MS, undefined, signal === undefined ? {} : { signal })) {
      signal?.throwIfAborted();
      if (Date.now() > deadline) throw await createStartError(cluster, "it was not ready within 5 minutes.");
      const postmaster = await readPostmaster(cluster);
      const runs = postmaster !== undefined && (await isPostmaster(cluster, postmaster.pid));
      // A stale file is tried too: a server in another container has no process here, yet responds.
      if (postmaster !== undefined && (postmaster.status === "ready" || !runs)) {
        const outcome = await connect(cluster, { port: postmaster.port, service });
        if (typeof outcome === "object") {
          launch = undefined;
          return outcome;
        }
        if (outcome === "busy") continue;
      }
      if (error !== undefined) {
        if (launches >= MAX_LAUNCHES || !(await clearRemains(cluster, error))) {
          throw await createStartError(cluster, error);
        }
        error = undefined;
      }
      if (runs || launch !== undefined) continue;
      launches += 1;
      launch = await launchPostgres(cluster, port);
      void launch.ended.then((reason) => {
        launch = undefined;
        error = reason;
      });
    }
  } finally {
    // The server cannot be reached, so it is stopped by a fast shutdown.
    launch?.child.kill("SIGINT");
  }
}

async function connect(
  cluster: Cluster,
  { port, service }: { port: number; service: boolean },
): Promise<Session | "absent" | "busy"> {
  const address = cluster.usesSocket ? { host: cluster.directory, port: SOCKET_PORT } : { host: "127.0.0.1", port };
  const client = new pg.Client({
    ...address,
    user: SUPERUSER,
    database: SUPERUSER,
    password: cluster.password,
    ssl: false,
    application_name: `colloquy ${service ? "service" : "command"} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  const ended = once(client, "end").catch(() => undefined);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return { client, ended, ...address };
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ECONNREFUSED") return "absent";
    if (isDisconnection(error) || code === "53300") return "busy";
    throw error;
  }
}

/** Returns whether the server is starting, stopping or gone, so that a retry makes sense. */
function isDisconnection(error: unknown): boolean {
  const code = errorCode(error);
  // The codes 57P01 to 57P03 mean shut down, crashed, and not yet ready.
  if (code !== undefined) return code.startsWith("57P0") || code === "ECONNRESET" || code === "EPIPE";
  // These errors of pg have no code.
  return error instanceof Error && /terminated|not queryable|connection was closed|timeout/i.test(error.message);
}

async function takeServiceLock(client: pg.Client): Promise<void> {
  const start = Date.now();
  for (;;) {
    const attempt = await client.query("select pg_try_advisory_lock($1, $2) as taken", [LOCK_CLASS, SERVICE_LOCK]);
    if (attempt.rows[0].taken) return;
    const holders = await client.query(
      `select application_name as name from pg_stat_activity join pg_locks using (pid)
       where locktype = 'advisory' and granted and classid = $1 and objid = $2`,
      [LOCK_CLASS, SERVICE_LOCK],
    );
    const pid = /\d+$/.exec(holders.rows[0]?.name ?? "")?.[0];
    // The server takes a moment to notice that a killed service is gone.
    const patienceMs = pid !== undefined && processExists(Number(pid)) ? 300 : 5_000;
    if (Date.now() - start > patienceMs) throw new ServiceRuns(pid ?? "unknown");
    await delay(POLL_MS);
  }
}

/** Creates the service's role and database. The role is not a SUPERUSER; it may create databases. */
async function ensureDatabase(client: pg.Client, password: string): Promise<void> {
  if (await databaseExists(client)) return;
  await client.query("select pg_advisory_lock($1, $2)", [LOCK_CLASS, CREATION_LOCK]);
  try {
    const role = await client.query("select from pg_roles where rolname = $1", [DATABASE_NAME]);
    if (role.rowCount === 0) {
      await client.query(`create role ${DATABASE_NAME} login createdb password ${client.escapeLiteral(password)}`);
    }
    if (!(await databaseExists(client))) await client.query(`create database ${DATABASE_NAME} owner ${DATABASE_NAME}`);
  } finally {
    await client.query("select pg_advisory_unlock($1, $2)", [LOCK_CLASS, CREATION_LOCK]);
  }
}

async function databaseExists(client: pg.Client): Promise<boolean> {
  const found = await client.query("select from pg_database where datname = $1", [DATABASE_NAME]);
  return found.rowCount === 1;
}
