/** Something that a database can run, with what comes back. */
export interface Statement<Result> {
  runOn(connection: Connection): Promise<Result>;
}

/** What statements are run with: the pool, or one transaction. */
export interface Queryable {
  run<Result>(statement: Statement<Result>): Promise<Result>;
}

/** What runs statements and transactions: the pool. */
export interface TransactionalQueryable extends Queryable {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
}

/** SQL text with its values. */
export interface Query {
  text: string;
  values: readonly unknown[];
  /** Name of the prepared statement; absent if the text is planned anew each time. */
  name?: string;
}

/** What a statement sees of the database. */
export interface Connection extends Queryable {
  /** Runs one text and returns its rows. */
  execute<Row>(query: Query): Promise<Row[]>;
  /** Runs a call together with concurrent calls of the same statement; in a transaction, by itself. */
  gather<Call, Result>(statement: BatchedStatement<Call, Result>, call: Call): Promise<Result>;
}

/** One statement that concurrent calls share: one round trip, one commit, and a result for each call. */
export interface BatchedStatement<Call, Result> {
  /** Runs all calls; returns their results in the same order. */
  run(database: Queryable, calls: Call[]): Promise<Result[]>;
  /** Approximate number of bytes that the call sends. */
  byteSize(call: Call): number;
  /** Keys of the rows that the call locks. Calls with a common key never share a batch or run at the same time. */
  conflictKeys(call: Call): Iterable<string>;
  /** Whether `run` takes several statements, which are then one transaction. */
  isTransaction?: true;
  /** Maximum number of batches in progress. */
  maxRunning?: number;
  /** Maximum number of calls in a batch. */
  maxCalls?: number;
}

/** Makes statements of calls: `database.run(addRows(call))`, or of several calls that belong together. */
export interface BatchedCalls<Call, Result> {
  (call: Call): Statement<Result>;
  /** Runs all calls at once, without concurrent ones. */
  all(calls: Call[]): Statement<Result[]>;
}

export function batched<Call, Result>(statement: BatchedStatement<Call, Result>): BatchedCalls<Call, Result> {
  return Object.assign(
    (call: Call): Statement<Result> => ({ runOn: (connection) => connection.gather(statement, call) }),
    { all: (calls: Call[]): Statement<Result[]> => ({ runOn: (connection) => statement.run(connection, calls) }) },
  );
}
