import type { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import {
  ConnectionRejectedError,
  isConnectionKept,
  isDatabaseUnavailable,
  NoPrimaryError,
  PrimaryChangedError,
} from "./database-errors.ts";
import { HungConnections } from "./hung-connections.ts";
import { PoolSockets } from "./pool-sockets.ts";
import { PrimaryHost } from "./primary-host.ts";
import type { Query } from "./statement.ts";

const IDLE_TIMEOUT_MS = 30_000;

/** A connection that its holder must release. */
export interface CheckedOutConnection {
  /** Runs a query. An error that PostgreSQL did not report leaves the connection unfit, even for a rollback. */
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Why the connection is unfit, if it is. */
  readonly error: Error | undefined;
  /** Returns the connection to the pool, or closes it if it is unfit. */
  release(): void;
  /** Makes the connection unfit. */
  fail(error: Error): void;
}

/** Connections to one server, of which it opens as many as are needed. */
export class ConnectionPool {
  readonly sockets = new PoolSockets();
  readonly primary: PrimaryHost;
  readonly #pool: pg.Pool;
  readonly #hungConnections: HungConnections;
  #isClosed = false;

  /** Opens no connection yet. Each one gets the settings, which are numbers, before it is used. */
  constructor(options: {
    connection: pg.ClientConfig;
    /** All hosts of which `connection` is the primary at present, if there are several. */
    hosts?: readonly pg.ClientConfig[];
    settings: Readonly<Record<string, number>>;
    max: number;
    log: Logger;
  }) {
    const { connection, hosts = [], settings, max, log } = options;
    const onChange = () => this.sockets.closeAll(new PrimaryChangedError());
    this.primary = new PrimaryHost({ connection, hosts, log, onChange });
    // PgBouncer rejects them as parameters of the startup message.
    const statements = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`);
    this.#hungConnections = new HungConnections(() => this.primary.connection, log);
    this.#pool = new pg.Pool({
      ...connection,
      Client: this.#hungConnections.clientClass((): Socket => this.sockets.create()),
      max,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      onConnect: async (client) => {
        await client.query(statements.join("; "));
        if (this.primary.hasSeveral) await assertPrimary(client);
      },
    });
    this.#pool.on("error", (error) => {
      if (!this.#isClosed) log.warn({ reason: error.message }, "an idle database connection ended");
    });
  }

  get usage(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  async checkOut(): Promise<CheckedOutConnection> {
    const client = await this.#pool.connect().catch((error) => {
      this.primary.recheck();
      const isRejected = error instanceof pg.DatabaseError && !isDatabaseUnavailable(error);
      throw isRejected ? new ConnectionRejectedError(error) : error;
    });
    let lost: Error | undefined;
    // The pool reports only the loss of idle connections; an unhandled error event would end the process.
    const fail = (error: Error) => {
      lost ??= error;
    };
    client.on("error", fail);
    return {
      get error() {
        return lost;
      },
      fail,
      query: (config) =>
        this.#hungConnections.query(client, config).catch((error) => {
          if (!isConnectionKept(error)) {
            fail(error);
            this.primary.recheck();
          }
          throw error;
        }),
      release() {
        client.removeListener("error", fail);
        client.release(lost);
      },
    };
  }

  /**
   * Runs one text and returns its rows. A text without values may have several statements. If one fails, the connection
   * is closed, since it may be in a transaction that the text began.
   */
  async execute<Row>(query: Query): Promise<Row[]> {
    const connection = await this.checkOut();
    try {
      return await getRows(connection.query(toQueryConfig(query)));
    } catch (error) {
      if (query.values.length === 0 && error instanceof Error) connection.fail(error);
      throw error;
    } finally {
      connection.release();
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.primary.close();
    this.#hungConnections.stop();
    return this.#pool.end();
  }
}

/** Throws if the server is a standby, such as a former primary that has joined the promoted one. */
async function assertPrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  if (rows[0]?.isStandby) throw new NoPrimaryError("the host is a standby");
}

export function toQueryConfig({ text, values, name }: Query): pg.QueryConfig {
  return { text, values: [...values], ...(name !== undefined && { name }) };
}

/** Returns the rows of one statement or of several; the cast holds as far as the statement's author is right. */
export async function getRows<Row>(running: Promise<pg.QueryResult | pg.QueryResult[]>): Promise<Row[]> {
  const result = await running;
  return (Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows) as Row[];
}
