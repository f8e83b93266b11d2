import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type Cluster, prepareCluster } from "./embedded-files.ts";
import { readPostmaster, sendSignal } from "./embedded-process.ts";
import { closeSession, databaseName, openSession, ServiceRuns, type Session } from "./embedded-session.ts";

/** How to reach the embedded server with `pg`: a socket directory or 127.0.0.1 as host. */
export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

export interface EmbeddedDatabase {
  connection: EmbeddedConnection;
  /** Stops PostgreSQL (fast shutdown, within 10 s), or leaves it running when another process uses it. */
  stop(): Promise<void>;
}

/** Its message is one sentence that names the directory and the process. */
export class DataDirectoryInUse extends Error {}

const firstRetryMs = 100;
const longestRetryMs = 5_000;
const watchMs = 2_000;
const stoppingPatience = 5;

/**
 * Runs PostgreSQL in `dataDir` for a service: takes the directory for itself, adopts or restarts what a killed
 * process left, and restarts PostgreSQL when it dies until stop(). Throws DataDirectoryInUse beside another service,
 * and the reason of `signal` when that ends the start.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  log: Logger;
  signal?: AbortSignal | undefined;
}): Promise<EmbeddedDatabase> {
  const { signal } = options;
  const cluster = await prepareCluster(options.dataDir);
  const first = await openSession({ cluster, service: true, signal }).catch((error) => {
    signal?.throwIfAborted();
    throw error instanceof ServiceRuns ? inUse(cluster, error) : error;
  });
  const supervision = supervise({ cluster, first, log: options.log });
  return {
    connection: connectionOf(cluster, first),
    stop: onlyOnce(async () => {
      const session = await supervision.end();
      if (session === undefined) return;
      const stopped = await closeSession(session, cluster);
      if (!stopped) options.log.info("PostgreSQL goes on running: another process uses it");
    }),
  };
}

/**
 * For a command beside a running service: uses the server of `dataDir` when one runs, else starts it for as long as
 * the command takes. Whoever uses the server last stops it.
 */
export async function borrowEmbeddedDatabase(options: { dataDir: string; log: Logger }): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster(options.dataDir);
  const session = await openSession({ cluster, service: false });
  return {
    connection: connectionOf(cluster, session),
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

function connectionOf(cluster: Cluster, { host, port }: Session): EmbeddedConnection {
  const secret = cluster.usesSocket ? {} : { password: cluster.password };
  return { host, port, user: databaseName, database: databaseName, ...secret };
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Holds a session for the service until end(), which returns the one held then, if any. */
function supervise(options: { cluster: Cluster; first: Session; log: Logger }): {
  end(): Promise<Session | undefined>;
} {
  const { cluster, first, log } = options;
  const stopping = new AbortController();
  const aborted = new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve()));
  const watch = watchShutdown(cluster, log);

  async function hold(): Promise<Session | undefined> {
    for (let session: Session | undefined = first; session !== undefined; session = await regain()) {
      await Promise.race([session.ended, aborted]);
      if (stopping.signal.aborted) return session;
      log.warn("The connection to PostgreSQL ended; making sure that it runs");
    }
    return undefined;
  }

  async function regain(): Promise<Session | undefined> {
    for (let waitMs = firstRetryMs; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
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

  const held = hold();
  return {
    end() {
      clearInterval(watch);
      stopping.abort();
      return held;
    },
  };
}

/**
 * A postmaster asked to end (SIGTERM) refuses connections but waits for the open ones, of which the service never
 * lets go. After 10 s, longer than a service that was asked to end as well takes to finish, it is ended for good.
 */
function watchShutdown(cluster: Cluster, log: Logger): NodeJS.Timeout {
  let seen = 0;
  async function look(): Promise<void> {
    const postmaster = await readPostmaster(cluster);
    seen = postmaster?.status === "stopping" ? seen + 1 : 0;
    if (postmaster === undefined || seen < stoppingPatience) return;
    seen = 0;
    log.warn("PostgreSQL was asked to end while the service runs; restarting it");
    await sendSignal(cluster, postmaster.pid, "INT");
  }
  return setInterval(() => {
    look().catch((error) => log.error({ err: error }, "The state of PostgreSQL could not be read"));
  }, watchMs).unref();
}
