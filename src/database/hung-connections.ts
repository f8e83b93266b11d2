import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import { DatabaseUnresponsiveError } from "./database-errors.ts";

const CHECK_INTERVAL_MS = 1_000;
/** Time after which a statement is looked for in the database. */
const SUSPICIOUS_MS = 5_000;
const RESPONSE_LIMIT_MS = 2_000;

/** A statement that has been sent and has no response yet. */
interface Running {
  since: number;
  /** Bytes that the connection had read at the last check; undefined unless the database then waited for it. */
  bytesReadAtCheck: number | undefined;
}

interface NamedClient {
  /** Name by which the database knows the connection. */
  name: string;
  socket: Socket;
}

/**
 * Closes a connection of a pool that has died silently while others work, such as one that a firewall has forgotten. If
 * a statement has no response for 5 s, it asks the database by another connection. Two responses in a row that the
 * database waits for the connection mean that the statement or its result was lost, unless bytes arrived in between.
 */
export class HungConnections {
  readonly #getConnection: () => pg.ClientConfig;
  readonly #log: Logger;
  readonly #clients = new WeakMap<pg.ClientBase, NamedClient>();
  readonly #running = new Map<pg.ClientBase, Running>();
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  /** `getConnection` returns how to connect at present. */
  constructor(getConnection: () => pg.ClientConfig, log: Logger) {
    this.#getConnection = getConnection;
    this.#log = log;
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  /** Returns the class of the pool's clients. `createSocket` is called for each. */
  clientClass(createSocket: () => Socket): typeof pg.Client {
    const clients = this.#clients;
    const getConnection = this.#getConnection;
    return class extends pg.Client {
      constructor(config?: string | pg.ClientConfig) {
        const named = { name: `colloquy ${randomUUID()}`, socket: createSocket() };
        super({ ...Object(config), ...getConnection(), application_name: named.name, stream: () => named.socket });
        // The pool listens while the connection is idle, and its holder once it has it. An error between them would end
        // the process without this listener; the holder's first statement fails.
        this.on("error", () => {});
        clients.set(this, named);
      }
    };
  }

  /** Runs a query on a client of the pool, which fails if its connection hangs. */
  async query(client: pg.ClientBase, config: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#running.set(client, { since: performance.now(), bytesReadAtCheck: undefined });
    try {
      return await client.query(config);
    } finally {
      this.#running.delete(client);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    const suspiciousSince = performance.now() - SUSPICIOUS_MS;
    const suspects = [...this.#running].flatMap(([client, running]) => {
      const named = this.#clients.get(client);
      return named && running.since < suspiciousSince ? [{ client, running, ...named }] : [];
    });
    if (suspects.length === 0) return;
    this.#isChecking = true;
    const names = suspects.map(({ name }) => name);
    // The heartbeat of the listening connection notices if its database does not respond at all.
    const awaited = await this.#selectAwaited(names).catch(() => new Set());
    this.#isChecking = false;
    for (const { client, running, name, socket } of suspects) {
      if (this.#running.get(client) !== running) continue;
      const { bytesRead } = socket;
      if (awaited.has(name) && running.bytesReadAtCheck === bytesRead) {
        this.#log.warn("a database connection has died silently; its statement fails");
        socket.destroy(new DatabaseUnresponsiveError());
      }
      running.bytesReadAtCheck = awaited.has(name) ? bytesRead : undefined;
    }
  }

  /** Returns which of the connections the database waits for. */
  async #selectAwaited(names: string[]): Promise<Set<string>> {
    const limits = { connectionTimeoutMillis: RESPONSE_LIMIT_MS, query_timeout: RESPONSE_LIMIT_MS };
    const client = new pg.Client({ ...this.#getConnection(), ...limits });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
          where application_name = any($1) and (state like 'idle%' or wait_event = 'ClientWrite')`,
        [names],
      );
      return new Set(rows.map(({ name }) => name));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
