import { Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextIteration } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import type { Database } from "./database.ts";
import { Reachability } from "./reachability.ts";

interface ListenOptions {
  database: Pick<Database, "connectionConfig" | "poolSockets" | "recheckPrimary">;
  /** Called for each NOTIFY, with its payload, by channel. */
  channels: Readonly<Record<string, (payload: string) => void>>;
  onListening(isListening: boolean): void;
  log: Logger;
  /** Limits of the heartbeat, if they differ. */
  limits?: HeartbeatLimits;
}

interface HeartbeatLimits {
  intervalMs: number;
  /** Time within which a heartbeat must have a response. */
  responseMs: number;
  /** Interval between attempts to connect again, each of which has more time than that. */
  retryMs: number;
  /** Number of attempts without any response after which the database counts as unreachable. */
  maxSilentAttempts: number;
}

/** A dead connection is noticed within 2 s, a dead database within 7 s, and its return within a second. */
const LIMITS: HeartbeatLimits = { intervalMs: 1_000, responseMs: 750, retryMs: 500, maxSilentAttempts: 10 };

/** A connection that listens, and its socket, which can be closed at any time. */
interface Listening {
  client: pg.Client;
  /** Configuration of the connection. */
  config: pg.ClientConfig;
  socket: Socket;
  ended: Promise<void>;
}

/**
 * Listens to channels. `onListening` is called when listening begins and ends; while it has
 * ended, notifications are missed. A heartbeat checks that the connection responds, and reconnects if not. If nothing
 * responds, not even a statement of the pool, all connections of the pool are closed until the database responds again,
 * so that no request waits for a dead database. Resolves when it listens for the first time.
 */
export async function listen(options: ListenOptions): Promise<{ stop(): Promise<void> }> {
  const { channels, onListening, log, limits = LIMITS } = options;
  const stopping = new AbortController();
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {});

  async function keepListening(first: Listening): Promise<void> {
    for (let current: Listening | undefined = first; current; current = await reconnect()) {
      onListening(true);
      await runHeartbeat(current);
      onListening(false);
      current.socket.destroy();
      if (!stopping.signal.aborted) {
        log.warn("the listening database connection ended or does not respond; connecting again");
      }
    }
  }

  /** Resolves when the connection has ended, does not respond, leads to a former primary, or is to be stopped. */
  async function runHeartbeat({ client, config, ended }: Listening): Promise<void> {
    let isAlive = true;
    const end = ended.then(() => {
      isAlive = false;
    });
    while (isAlive) {
      await Promise.race([pause(limits.intervalMs), end]);
      if (!isAlive || stopping.signal.aborted || config !== options.database.connectionConfig) return;
      // Repeating it changes nothing and proves that the connection still listens.
      isAlive = await succeedsWithin(limits.responseMs, listenOn(client, channels));
    }
  }

  /** Attempts to connect until one attempt succeeds. Attempts overlap, so that a slow one is not given up. */
  async function reconnect(): Promise<Listening | undefined> {
    const { poolSockets } = options.database;
    const reachability = new Reachability({ poolSockets, maxSilentAttempts: limits.maxSilentAttempts, log });
    const attempts = new Set<Socket>();
    const connected = Promise.withResolvers<Listening>();
    try {
      while (!stopping.signal.aborted) {
        options.database.recheckPrimary();
        const socket = new Socket();
        attempts.add(socket);
        connect(options, socket).then(connected.resolve, (error) => {
          attempts.delete(socket);
          socket.destroy();
          if (error instanceof pg.DatabaseError) reachability.recordResponse();
        });
        const listening = await Promise.race([connected.promise, pause(limits.retryMs).then(() => nextIteration())]);
        if (listening) {
          attempts.delete(listening.socket);
          reachability.recordResponse();
          return listening;
        }
        reachability.recordSilence();
      }
      return undefined;
    } finally {
      for (const socket of attempts) socket.destroy();
    }
  }

  const socket = new Socket();
  const first = await connect(options, socket).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  const stopped = keepListening(first);
  return {
    stop() {
      stopping.abort();
      return stopped;
    },
  };
}

async function connect({ database, channels }: ListenOptions, socket: Socket): Promise<Listening> {
  const config = database.connectionConfig;
  const client = new pg.Client({ ...config, stream: () => socket });
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  // The loss is handled by `ended`; an unhandled error event would end the process.
  client.on("error", () => socket.destroy());
  client.on("notification", ({ channel, payload = "" }) => channels[channel]?.(payload));
  await client.connect();
  await listenOn(client, channels);
  return { client, config, socket, ended };
}

async function listenOn(client: pg.Client, channels: ListenOptions["channels"]): Promise<void> {
  await client.query(
    Object.keys(channels)
      .map((channel) => `listen ${channel}`)
      .join("; "),
  );
}

/** Returns whether the work succeeds in time. After a stall of this process, it reads what has arrived meanwhile. */
async function succeedsWithin(limitMs: number, work: Promise<void>): Promise<boolean> {
  const done = new AbortController();
  const late = delay(limitMs, undefined, { signal: done.signal }).then(() => nextIteration(false));
  const succeeded = work.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([succeeded, late]);
  } finally {
    done.abort();
  }
}
