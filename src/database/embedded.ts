import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type Cluster, prepareCluster } from "./embedded-files.ts";
import { readPostmaster, sendSignal } from "./embedded-process.ts";
import { closeSession, DATABASE_NAME, openSession, ServiceRuns, type Session, stopUnused } from "./embedded-session.ts";

/** Connection of `pg` to the embedded server. The host is a socket directory or 127.0.0.1. */
export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

export interface EmbeddedDatabase {
  connection: EmbeddedConnection;
  /** Stops PostgreSQL by a fast shutdown within 10 s, unless another process uses it. */
  stop(): Promise<void>;
}

/** Error of a second service on a DATA_DIR. Its message is one sentence that names the directory and the process. */
export class DataDirectoryInUse extends Error {}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const WATCH_INTERVAL_MS = 2_000;
const STOPPING_LIMIT = 5;

/**
 * Runs PostgreSQL in `dataDir` exclusively for a service. Adopts or restarts the server of a killed process, and
 * restarts PostgreSQL if it dies before stop(). Throws DataDirectoryInUse if another service uses the directory, and
 * the reason of `signal` if that ends the start.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  maxConnections?: number;
  log: Logger;
  signal?: AbortSignal | undefined;
}): Promise<EmbeddedDatabase> {
  const { signal } = options;
  const cluster = await prepareCluster(options.dataDir, options.maxConnections);
  const first = await openSession({ cluster, service: true, signal }).catch((error) => {
    signal?.throwIfAborted();
    throw error instanceof ServiceRuns ? inUse(cluster, error) : error;
  });
  const supervision = supervise({ cluster, first, log: options.log });
  return {
    connection: getConnection(cluster, first),
    stop: onlyOnce(async () => {
      const session = await supervision.end();
      // PostgreSQL may be recovering from a crash, such as one for lack of disk space.
      if (session === undefined) return stopUnused(cluster);
      const stopped = await closeSession(session, cluster);
      if (!stopped) options.log.info("PostgreSQL goes on running: another process uses it");
    }),
  };
}

/**
 * Connects a command to the server of `dataDir`, which a service may be using, or starts the server for the duration of
 * the command. The last user stops the server.
 */
export async function borrowEmbeddedDatabase(options: {
  dataDir: string;
  maxConnections?: number;
  log: Logger;
}): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster(options.dataDir, options.maxConnections);
  const session = await openSession({ cluster, service: false });
  return {
    connection: getConnection(cluster, session),
    stop: onlyOnce(async () => {
      await closeSession(session, cluster);
    }),
  };
}

function inUse(cluster: Cluster, { pid }: ServiceRuns): DataDirectoryInUse {
  return new DataDirectoryInUse(
    `DATA_DIR ${cluster.dataDir} is in use by another colloquy service (process ${pid}); ` +
      "stop it or set another DATA_DIR.",
  );
}

function getConnection(cluster: Cluster, { host, port }: Session): EmbeddedConnection {
  const secret = cluster.usesSocket ? {} : { password: cluster.password };
  return { host, port, user: DATABASE_NAME, database: DATABASE_NAME, ...secret };
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Keeps a session of the service open until end(), which returns the current session, if any. */
function supervise(options: { cluster: Cluster; first: Session; log: Logger }): {
  end(): Promise<Session | undefined>;
} {
  const { cluster, first, log } = options;
  const stopping = new AbortController();
  const aborted = new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve()));
  const watch = watchShutdown(cluster, log);

  async function keepSession(): Promise<Session | undefined> {
    for (let session: Session | undefined = first; session !== undefined; session = await regain()) {
      await Promise.race([session.ended, aborted]);
      if (stopping.signal.aborted) return session;
      log.warn("The connection to PostgreSQL ended; making sure that it runs");
    }
    return undefined;
  }

  async function regain(): Promise<Session | undefined> {
    for (let waitMs = FIRST_RETRY_MS; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      try {
        const port = cluster.usesSocket ? undefined : first.port;
        const session = await openSession({ cluster, service: true, port, signal: stopping.signal });
        log.info("PostgreSQL runs again");
        return session;
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        const cause = error instanceof ServiceRuns ? inUse(cluster, error) : error;
        log.error({ err: cause }, `PostgreSQL is not available; next attempt in ${waitMs} ms`);
        await Promise.race([delay(waitMs), aborted]);
      }
    }
    return undefined;
  }

  const keeping = keepSession();
  return {
    end() {
      clearInterval(watch);
      stopping.abort();
      return keeping;
    },
  };
}

/**
 * Restarts a postmaster that has been asked to end by SIGTERM. It rejects new connections and waits for the open ones,
 * which the service keeps. It is interrupted after 10 s, within which a service that is asked to end too has finished.
 */
function watchShutdown(cluster: Cluster, log: Logger): NodeJS.Timeout {
  let seen = 0;
  async function look(): Promise<void> {
    const postmaster = await readPostmaster(cluster);
    seen = postmaster?.status === "stopping" ? seen + 1 : 0;
    if (postmaster === undefined || seen < STOPPING_LIMIT) return;
    seen = 0;
    log.warn("PostgreSQL was asked to end while the service runs; restarting it");
    await sendSignal(cluster, postmaster.pid, "INT");
  }
  return setInterval(() => {
    look().catch((error) => log.error({ err: error }, "The state of PostgreSQL could not be read"));
  }, WATCH_INTERVAL_MS).unref();
}
