import { channel } from "node:diagnostics_channel";
import { LRUCache } from "lru-cache";
import pg from "pg";
import type { Logger } from "pino";
import { BatchQueue } from "./batch.ts";
import { DatabaseBusyError } from "./failures.ts";
import { FairSemaphore } from "./fair-semaphore.ts";
import { HungConnections } from "./hung-connections.ts";
import { PoolSockets } from "./pool-sockets.ts";
import type { BatchedStatement, Query, Queryable, StatementRunner, TransactionalQueryable } from "./statement.ts";

export interface Database extends TransactionalQueryable {
  /** Whether the database is spread over a Citus cluster. */
  readonly isDistributed: boolean;
  /** Connections: open, idle, and requests waiting for one. */
  readonly poolUsage: { total: number; idle: number; waiting: number };
  /** Configuration of a separate connection, such as a listener's. */
  readonly connectionConfig: pg.ClientConfig;
  readonly poolSockets: Pick<PoolSockets, "receivedBytes" | "setReachable">;
  /**
   * Returns this database for the statements of one group, such as a workspace. A group uses at most half of the
   * connections at a time, and groups take turns. Batches are of all groups, so they are not limited.
   */
  ofGroup(group: string): TransactionalQueryable;
  close(): Promise<void>;
}

/** How long a request waits for a free connection before it is UNAVAILABLE. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long a statement waits for its group's turn. Noticing that the database has stopped answering takes less and ends
 * the wait, so only a busy database lets it time out.
 */
const TURN_TIMEOUT_MS = 8_000;
const IDLE_TIMEOUT_MS = 30_000;
/**
 * Longer than any statement of a request takes; a statement past it is stopped and the request UNAVAILABLE. The
 * heartbeat of `listen.ts` notices sooner that the database has stopped answering.
 */
const STATEMENT_TIMEOUT_MS = 30_000;
const REPORT_MS = 1_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Number of groups whose databases are kept, to be the same object on each call. */
const MAX_GROUPS = 10_000;

const INT8_ARRAY = 1016;

/** Counts, sizes and milliseconds all stay below 2^53, so bigint columns and arrays of them are read as numbers. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === INT8_ARRAY) return (text: string) => text.slice(1, -1).split(",").filter(Boolean).map(Number);
    return pg.types.getTypeParser(oid, format);
  },
};

/** Opens a pool; connects with the first query. */
export function openDatabase(options: {
  connection: pg.ClientConfig;
  poolMax: number;
  log: Logger;
  /** Whether the database has the Citus extension. */
  isDistributed?: boolean;
  statementTimeoutMs?: number;
}): Database {
  const { isDistributed = false, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const connectionConfig: pg.ClientConfig = {
    ...options.connection,
    types,
    application_name: "colloquy",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // PostgreSQL reports its timeout before this one, unless it has stopped answering.
    query_timeout: statementTimeoutMs + REPORT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const poolSockets = new PoolSockets();
  const hungConnections = new HungConnections(connectionConfig, options.log);
  const pool = new pg.Pool({
    ...connectionConfig,
    Client: hungConnections.clientClass(() => poolSockets.create()),
    max: options.poolMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  let isClosed = false;
  pool.on("error", (error) => {
    if (!isClosed) options.log.warn({ reason: error.message }, "an idle database connection ended");
  });

  async function execute<Row>(query: Query): Promise<Row[]> {
    const client = await pool.connect();
    let failure: Error | undefined;
    const recordFailure = (error: Error) => {
      failure ??= error;
    };
    function fail(error: Error): never {
      recordFailure(error);
      throw error;
    }
    client.on("error", recordFailure);
    try {
      return await rowsOf(hungConnections.query(client, configOf(query)).catch(fail));
    } finally {
      client.removeListener("error", recordFailure);
      client.release(failure);
    }
  }
  const runBatched: StatementRunner["runBatched"] = (statement, call) => queues.of(statement, call).add(call);
  const connections = new FairSemaphore(
    { maxPermits: options.poolMax, maxWaiting: Number.POSITIVE_INFINITY, maxWaitMs: TURN_TIMEOUT_MS },
    new DatabaseBusyError(),
  );
  const groups = new LRUCache<string, TransactionalQueryable>({ max: MAX_GROUPS, memoMethod: limitedTo });

  function limitedTo(group: string): TransactionalQueryable {
    async function fairly<Result>(work: () => Promise<Result>): Promise<Result> {
      const permit = await connections.acquire(group);
      try {
        return await work();
      } finally {
        permit.release();
      }
    }
    return {
      ...runnerOf({ isDistributed, execute: (query) => fairly(() => execute(query)), runBatched }),
      transaction: (work) => fairly(() => database.transaction(work)),
    };
  }

  const database: Database = {
    ...runnerOf({ isDistributed, execute, runBatched }),
    connectionConfig,
    poolSockets,
    ofGroup: (group) => groups.memo(group),
    async transaction(work) {
      const client = await pool.connect();
      let failure: Error | undefined;
      // The pool reports only the loss of idle connections; an unhandled error event would end the process.
      const recordFailure = (error: Error) => {
        failure ??= error;
      };
      /** Runs a query. An error that PostgreSQL did not report leaves the connection unfit, even for a rollback. */
      const query = (config: pg.QueryConfig) =>
        hungConnections.query(client, config).catch((error) => {
          if (!(error instanceof pg.DatabaseError)) recordFailure(error);
          throw error;
        });
      client.on("error", recordFailure);
      try {
        await query({ text: "begin" });
        const result = await work(transactionBy(query, isDistributed));
        await query({ text: "commit" });
        return result;
      } catch (error) {
        if (!failure) await query({ text: "rollback" }).catch(recordFailure);
        throw error;
      } finally {
        client.removeListener("error", recordFailure);
        client.release(failure);
      }
    },
    get poolUsage() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount + connections.waiting };
    },
    close() {
      isClosed = true;
      hungConnections.stop();
      return pool.end();
    },
  };
  const queues = new BatchQueues(database);
  return database;
}

/** Diagnostics channel that gets each query before it is sent. */
export const STATEMENTS = "colloquy.statements";
const statements = channel(STATEMENTS);

/** Returns the runner that runs every statement with these methods. */
function runnerOf(options: Omit<StatementRunner, "run">): StatementRunner {
  const runner: StatementRunner = {
    ...options,
    execute(query) {
      statements.publish(query);
      return options.execute(query);
    },
    run: (statement) => statement.runOn(runner),
  };
  return runner;
}

/** Runs statements by a connection outside of the pool, as a Citus cluster needs them, which is right everywhere. */
export function queryableOn(client: pg.Client): Queryable {
  return transactionBy((config) => client.query(config), true);
}

/** Returns a transaction, in which each call of a batched statement runs alone. */
function transactionBy(query: (config: pg.QueryConfig) => Promise<pg.QueryResult>, isDistributed: boolean): Queryable {
  const runner = runnerOf({
    isDistributed,
    execute: (given) => rowsOf(query(configOf(given))),
    async runBatched(statement, call) {
      const [result] = await statement.run(runner, [call]);
      if (result === undefined) throw new Error("a batched statement returned no result for its call");
      return result;
    },
  });
  return runner;
}

function configOf({ text, values, name }: Query): pg.QueryConfig {
  return { text, values: [...values], ...(name !== undefined && { name }) };
}

/** Returns the rows of one statement or of several; the cast holds as far as the statement's author is right. */
async function rowsOf<Row>(running: Promise<pg.QueryResult | pg.QueryResult[]>): Promise<Row[]> {
  const result = await running;
  return (Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows) as Row[];
}

/** One queue of calls for each statement, and on Citus for each organization of a statement. */
class BatchQueues {
  readonly #database: Database;
  readonly #queues = new Map<unknown, Map<string, unknown>>();

  constructor(database: Database) {
    this.#database = database;
  }

  of<Call, Result>(statement: BatchedStatement<Call, Result>, call: Call): BatchQueue<Call, Result> {
    const key = this.#database.isDistributed ? (statement.organizationKey?.(call) ?? "") : "";
    const queues = this.#queues.get(statement) ?? new Map<string, unknown>();
    this.#queues.set(statement, queues);
    const queue = queues.get(key) ?? new BatchQueue(this.#database, statement, () => queues.delete(key));
    queues.set(key, queue);
    return asQueueOf(queue, statement);
  }
}

/** Returns the queue with its types; the cast holds because a queue is stored under the statement it was made for. */
function asQueueOf<Call, Result>(queue: unknown, _statement: BatchedStatement<Call, Result>): BatchQueue<Call, Result> {
  return queue as BatchQueue<Call, Result>;
}
