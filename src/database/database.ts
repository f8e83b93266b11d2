import pg from "pg";
import type { Logger } from "pino";
import { Batch, type BatchedTransaction } from "./batch.ts";
import { type SelectValue, sharedSelect } from "./shared-select.ts";

/** Where a statement runs: the pool, or one transaction. */
export interface Queryable {
  /** Runs a statement that is prepared once per connection. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  /**
   * Runs a text that is not prepared: of several statements, or one to be planned by the data as it is now. A plan that
   * was made while a table was tiny reads all of it for each row, until PostgreSQL has noticed that it has grown.
   */
  unprepared<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  /**
   * Runs a select of exactly one small row whose first parameter is a uuid. Outside of a transaction,
   * concurrent calls of the same text share a statement.
   */
  selectOne<Row extends pg.QueryResultRow>(text: string, values: SelectValue[]): Promise<Row>;
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Runs one call of a statement or transaction that concurrent calls share; resolves after the commit. */
  batched<Call, Result>(statement: BatchedTransaction<Call, Result>, call: Call): Promise<Result>;
  /** Connections: open, idle, and requests waiting for one. */
  readonly load: { total: number; idle: number; waiting: number };
  /** What a connection of its own, such as a listener, is made with. */
  readonly connection: pg.ClientConfig;
  close(): Promise<void>;
}

/** How long a request waits for a free connection before it is UNAVAILABLE. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
/** Longer than any statement of a request takes; a statement past it is stopped and the request UNAVAILABLE. */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

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
export function openDatabase(options: { connection: pg.ClientConfig; poolMax: number; log: Logger }): Database {
  const connection: pg.ClientConfig = {
    ...options.connection,
    types,
    application_name: "colloquy",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const pool = new pg.Pool({
    ...connection,
    max: options.poolMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  let isClosed = false;
  pool.on("error", (error) => {
    if (!isClosed) options.log.warn({ reason: error.message }, "an idle database connection ended");
  });

  const queryable: Queryable = {
    query: (text, values) => pool.query(prepared(text, values)),
    unprepared: (text, values) => pool.query(text, values),
    selectOne: <Row extends pg.QueryResultRow>(text: string, values: SelectValue[]) =>
      database.batched(sharedSelect<Row>(text, values), values),
  };
  const database: Database = {
    ...queryable,
    connection,
    batched: (statement, call) => batches.of(statement).add(call),
    async transaction(work) {
      const client = await pool.connect();
      let failure: Error | undefined;
      // The pool hears of the end of idle connections only; unheard, it would end the process.
      const noteLoss = (error: Error) => {
        failure = error;
      };
      client.on("error", noteLoss);
      try {
        await client.query("begin");
        const result = await work({
          query: (text, values) => client.query(prepared(text, values)),
          unprepared: (text, values) => client.query(text, values),
          selectOne: (text, values) => onlyRow(client.query(prepared(text, values))),
        });
        await client.query("commit");
        return result;
      } catch (error) {
        failure ??= await rollback(client);
        throw error;
      } finally {
        client.removeListener("error", noteLoss);
        client.release(failure);
      }
    },
    get load() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },
    close() {
      isClosed = true;
      return pool.end();
    },
  };
  const batches = new Batches(database);
  return database;
}

async function onlyRow<Row extends pg.QueryResultRow>(result: Promise<pg.QueryResult<Row>>): Promise<Row> {
  const [row] = (await result).rows;
  if (!row) throw new Error("a select of one row had none");
  return row;
}

/** One batch for each statement. */
class Batches {
  readonly #database: Database;
  readonly #batches = new Map<unknown, unknown>();

  constructor(database: Database) {
    this.#database = database;
  }

  of<Call, Result>(statement: BatchedTransaction<Call, Result>): Batch<Call, Result> {
    const batch = this.#batches.get(statement) ?? new Batch(this.#database, statement);
    this.#batches.set(statement, batch);
    return asBatchOf(batch, statement);
  }
}

/** Holds because a batch is kept only under the statement that it was made for. */
function asBatchOf<Call, Result>(batch: unknown, _statement: BatchedTransaction<Call, Result>): Batch<Call, Result> {
  return batch as Batch<Call, Result>;
}

/** Returns the error that makes the connection unfit for another use. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const statementNames = new Map<string, string>();

/** Statement texts are constants or assembled from a bounded set of parts, so the names are few. */
function prepared(text: string, values: unknown[] = []): pg.QueryConfig {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `colloquy_${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return { name, text, values };
}
