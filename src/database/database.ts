import { channel } from "node:diagnostics_channel";
import pg from "pg";
import type { Logger } from "pino";
import { parse as parseArray } from "postgres-array";
import { LIMITS } from "../config/limits.ts";
import { BatchQueues } from "./batch-queues.ts";
import { ConnectionPool, getRows, toQueryConfig } from "./connection-pool.ts";
import { DatabaseBusyError } from "./database-errors.ts";
import { FairSemaphore, type Member } from "./fair-semaphore.ts";
import type { PoolSockets } from "./pool-sockets.ts";
import {
  getTopics,
  type Query,
  type Queryable,
  runCall,
  type StatementRunner,
  type Transaction,
  type TransactionalQueryable,
} from "./statement.ts";
import { Throttle } from "./throttle.ts";

export interface Database extends TransactionalQueryable {
  /** Whether the database is spread over a Citus cluster. */
  readonly isDistributed: boolean;
  /** Connections: open, idle, and requests waiting for one. */
  readonly poolUsage: { total: number; idle: number; waiting: number };
  /** Configuration of a separate connection, such as a listener's; another object once the primary has changed. */
  readonly connectionConfig: pg.ClientConfig;
  /** Looks for the primary among several hosts, because a separate connection has failed. */
  recheckPrimary(): void;
  readonly poolSockets: Pick<PoolSockets, "receivedBytes" | "setReachable">;
  /**
   * Returns this database for the statements of one caller on an organization. While all connections are in use,
   * workspaces take turns, and so do the callers of a workspace, and the batches of each organization. None of them
   * gets the last ones, so that statements that wait for a lock leave some for others.
   */
  forMember(member: Member): TransactionalQueryable;
  /** Calls the listener with the topics of each commit that has any (`getTopics`). Returns what ends that. */
  onTopics(listener: (topics: ReadonlySet<string>) => void): () => void;
  close(): Promise<void>;
}

/** How long a request waits for a free connection before it is UNAVAILABLE. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Longer than any statement of a request takes; a statement past it is stopped and the request UNAVAILABLE. The
 * heartbeat of `listen.ts` notices sooner that the database has stopped responding.
 */
const STATEMENT_TIMEOUT_MS = 30_000;
const REPORT_MS = 1_000;
/** Queries with large results that run at the same time, for all callers. */
const MAX_LARGE_QUERIES = 1;
/** Share of the time in which large results of a capped member are read, because each blocks the event loop. */
const LARGE_TIME_SHARE = 1 / 10;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Object identifiers of array types and of their elements, from pg_type. */
const ELEMENT_TYPES = new Map([
  [1001, pg.types.builtins.BYTEA],
  [1009, pg.types.builtins.TEXT],
  [1016, pg.types.builtins.INT8],
]);

/**
 * Counts, sizes and milliseconds all stay below 2^53, so bigint columns and arrays of them are read as numbers. The
 * parser of arrays that `pg` has copies character by character: 10 MB of a document's updates took it 20 s.
 */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
    const elementType = ELEMENT_TYPES.get(oid);
    if (elementType !== undefined) {
      const parseElement = types.getTypeParser(elementType);
      return (text) => parseArray(text, parseElement);
    }
    return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
  },
};

/** Opens a pool; connects with the first query. */
export function openDatabase(options: {
  connection: pg.ClientConfig;
  /** All hosts of which `connection` is the primary at present, if there are several. */
  hosts?: readonly pg.ClientConfig[];
  poolMax: number;
  log: Logger;
  /** Whether the database has the Citus extension. */
  isDistributed?: boolean;
  statementTimeoutMs?: number;
  /** Time that a statement waits for its caller's turn. */
  turnMs?: number;
  /** Time after which a transaction that runs no statement is ended; 0 for never. */
  idleInTransactionTimeoutMs?: number;
}): Database {
  const { log, poolMax, isDistributed = false, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const { turnMs = LIMITS.databaseTurnMs, idleInTransactionTimeoutMs = IDLE_IN_TRANSACTION_TIMEOUT_MS } = options;
  const settings: pg.ClientConfig = {
    types,
    application_name: "colloquy",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // PostgreSQL reports its timeout before this one, unless it has stopped responding.
    query_timeout: statementTimeoutMs + REPORT_MS,
  };
  const hosts = options.hosts?.map((host) => ({ ...host, ...settings })) ?? [];
  const timeouts = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  };
  const connection = { ...options.connection, ...settings };
  const pool = new ConnectionPool({ connection, hosts, settings: timeouts, max: poolMax, log });
  const listeners = new Set<(topics: ReadonlySet<string>) => void>();
  const emit = (topics: ReadonlySet<string>) => {
    if (topics.size > 0) for (const listener of listeners) listener(topics);
  };
  const pooled: Omit<StatementRunner, "run" | "execute"> = {
    isDistributed,
    runBatched: (statement, call) => queues.getQueue(statement, call).add(call),
    emit: (topics) => emit(new Set(topics)),
    scheduleBeforeCommit() {
      throw new Error("a statement that runs right before a commit needs a transaction");
    },
  };

  const waiting = { maxWaiting: Number.POSITIVE_INFINITY, maxWaitMs: turnMs };
  const turns = new FairSemaphore({ ...waiting, maxPermits: poolMax }, new DatabaseBusyError());
  const largeTurns = new FairSemaphore({ ...waiting, maxPermits: MAX_LARGE_QUERIES }, new DatabaseBusyError());
  const throttle = new Throttle(LARGE_TIME_SHARE, waiting, new DatabaseBusyError());

  function limitedTo(member: Member): TransactionalQueryable {
    function execute<Row>(query: Query): Promise<Row[]> {
      const inOrdinaryTurn = () => inTurn(turns, member, () => pool.execute<Row>(query));
      if (!query.isLarge) return inOrdinaryTurn();
      if (!member.isCapped) return inTurn(largeTurns, member, inOrdinaryTurn);
      return throttle.run(member, (begin) =>
        inTurn(largeTurns, member, () => {
          begin();
          return inOrdinaryTurn();
        }),
      );
    }
    return {
      ...createRunner({ ...pooled, execute }),
      transaction: (work) => inTurn(turns, member, () => database.transaction(work)),
    };
  }

  const database: Database = {
    ...createRunner({ ...pooled, execute: (query) => pool.execute(query) }),
    get connectionConfig() {
      return pool.primary.connection;
    },
    recheckPrimary: () => pool.primary.recheck(),
    poolSockets: pool.sockets,
    forMember: limitedTo,
    onTopics(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async transaction(work) {
      const connection = await pool.checkOut();
      const { query } = connection;
      try {
        await query({ text: "begin" });
        const transaction = transactionBy(query, isDistributed);
        const result = await work(transaction.runner);
        await transaction.runBeforeCommit();
        await query({ text: "commit" });
        emit(transaction.topics);
        return result;
      } catch (error) {
        if (!connection.error) await query({ text: "rollback" }).catch(connection.fail);
        throw error;
      } finally {
        connection.release();
      }
    },
    get poolUsage() {
      const { total, idle, waiting } = pool.usage;
      return { total, idle, waiting: waiting + turns.waiting + largeTurns.waiting };
    },
    close: () => pool.close(),
  };
  const queues = new BatchQueues((organizationKey) => {
    return { ...limitedTo({ group: organizationKey, name: "batches" }), emit: pooled.emit };
  });
  return database;
}

/** Runs work in the turn of a member. */
async function inTurn<Result>(turns: FairSemaphore, member: Member, work: () => Promise<Result>): Promise<Result> {
  const permit = await turns.acquire(member);
  try {
    return await work();
  } finally {
    permit.release();
  }
}

/** Diagnostics channel that gets each query before it is sent. */
export const STATEMENTS = "colloquy.statements";
const statements = channel(STATEMENTS);

/** Returns the runner that runs every statement with these methods. */
function createRunner(options: Omit<StatementRunner, "run">): StatementRunner {
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
  return { run: transactionBy((config) => client.query(config), true).runner.run };
}

interface OpenTransaction {
  /** Runs statements in the transaction, in which each call of a batched statement runs alone. */
  runner: Transaction;
  /** Topics that are emitted after the commit. */
  topics: ReadonlySet<string>;
  /** Runs the calls that wait for the commit. */
  runBeforeCommit(): Promise<void>;
}

function transactionBy(
  query: (config: pg.QueryConfig) => Promise<pg.QueryResult>,
  isDistributed: boolean,
): OpenTransaction {
  const topics = new Set<string>();
  const callsBeforeCommit = new Map<unknown, unknown[]>();
  const beforeCommit: (() => Promise<void>)[] = [];
  const statementRunner = createRunner({
    isDistributed,
    execute: (given) => getRows(query(toQueryConfig(given))),
    runBatched: (statement, call) => runCall(runner, statement, call),
    scheduleBeforeCommit(statement, calls) {
      runner.emit(getTopics(statement, calls));
      const earlier = callsBeforeCommit.get(statement);
      if (earlier) return void earlier.push(...calls);
      const all = [...calls];
      callsBeforeCommit.set(statement, all);
      beforeCommit.push(() => statement.run(runner, all));
    },
    emit(further) {
      for (const topic of further) topics.add(topic);
    },
  });
  const runner: StatementRunner & Transaction = Object.assign(statementRunner, { isTransaction: true } as const);
  return {
    runner,
    topics,
    async runBeforeCommit() {
      for (const run of beforeCommit) await run();
    },
  };
}
