/** A statement, or several, that returns a result of this type. */
export interface Statement<Result> {
  runOn(runner: StatementRunner): Promise<Result>;
}

/** Runs statements: the connection pool or one transaction. */
export interface Queryable {
  run<Result>(statement: Statement<Result>): Promise<Result>;
}

/** Runs statements and transactions: the connection pool. */
export interface TransactionalQueryable extends Queryable {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
}

/** SQL text with its values. */
export interface Query {
  text: string;
  values: readonly unknown[];
  /** Name of the prepared statement; absent if PostgreSQL plans the text on each call. */
  name?: string;
}

/** Runs queries and batched statements: on the pool, or in one transaction. */
export interface StatementRunner extends Queryable {
  /** Whether the database is spread over a Citus cluster, where a statement of one organization runs on one node. */
  readonly isDistributed: boolean;
  /** Runs one text and returns its rows. */
  execute<Row>(query: Query): Promise<Row[]>;
  /** Runs a call in a batch with concurrent calls of the same statement; in a transaction, alone. */
  runBatched<Call, Result>(statement: BatchedStatement<Call, Result>, call: Call): Promise<Result>;
}

/** One statement that concurrent calls share: one round trip, one commit, and a result for each call. */
export interface BatchedStatement<Call, Result> {
  /** Runs all calls; returns their results in the same order. */
  run(database: Queryable, calls: Call[]): Promise<Result[]>;
  /** Approximate number of bytes that the call sends. */
  byteSize(call: Call): number;
  /** Keys of the rows that the call locks. Calls with a common key never share a batch or run at the same time. */
  conflictKeys(call: Call): Iterable<string>;
  /**
   * Organization whose rows the call reads or writes. On Citus, calls of different organizations never share a batch.
   * Absent if the rows belong to none.
   */
  organizationKey?(call: Call): string;
  /**
   * On Citus, runs the calls of one organization in a statement that one shard executes. Returns undefined for each
   * call that has changed nothing and needs `run`, which may create what is missing.
   */
  runOnShard?(database: Queryable, calls: Call[]): Promise<(Result | undefined)[]>;
  /** Whether `run` takes several statements, which are then one transaction. */
  isTransaction?: true;
  /** Maximum number of batches in progress. */
  maxRunning?: number;
  /** Maximum number of calls in a batch. */
  maxCalls?: number;
}

/** Converts calls to statements: one call, as in `database.run(addRows(call))`, or several that belong together. */
export interface BatchedCalls<Call, Result> {
  (call: Call): Statement<Result>;
  /** Runs all calls at once, without concurrent ones. */
  all(calls: Call[]): Statement<Result[]>;
}

/** Returns the function that converts calls to statements, which run in batches with concurrent calls. */
export function batched<Call, Result>(statement: BatchedStatement<Call, Result>): BatchedCalls<Call, Result> {
  return Object.assign((call: Call): Statement<Result> => ({ runOn: (runner) => runner.runBatched(statement, call) }), {
    all: (calls: Call[]): Statement<Result[]> => ({ runOn: (runner) => statement.run(runner, calls) }),
  });
}
