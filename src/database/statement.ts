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
  /** Runs calls together with all others of the same statement in the transaction, right before it commits. */
  runBeforeCommit<Call>(statement: BeforeCommitStatement<Call>, calls: readonly Call[]): void;
  /** Tells the database's listeners of these topics after the commit. */
  tell(topics: Iterable<string>): void;
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
  /**
   * On Citus, runs calls on the node that has their organizations, if DATABASE_URL names it. Returns undefined for each
   * call that has changed nothing and must run on the coordinator, as those that `accepts` refuses.
   */
  nodeBatch?: NodeBatch<Call, Result>;
  /** Topics of which the listeners of the database are told after the commit of the call. */
  topicsOf?(call: Call): Iterable<string>;
  /** Whether `run` takes several statements, which are then one transaction. */
  isTransaction?: true;
  /** Milliseconds for which calls are gathered before a batch begins; 0 by default: those of one turn share it. */
  gatherMs?: number;
  /** Number of batches that do not wait for each other; 1 by default. One more begins if these take long. */
  parallelBatches?: number;
  /** Maximum number of calls in a batch. */
  maxCalls?: number;
}

/** How a node of a Citus cluster runs calls of the organizations that it has. */
export interface NodeBatch<Call, Result> {
  accepts(call: Call): boolean;
  run(node: Queryable, coordinator: Queryable, calls: Call[]): Promise<(Result | undefined)[]>;
}

/** Statements that a transaction runs once, right before its commit: what they lock is locked no longer than that. */
export interface BeforeCommitStatement<Call> extends Pick<BatchedStatement<Call, void>, "topicsOf"> {
  run(database: Queryable, calls: readonly Call[]): Promise<void>;
}

/** Converts calls to statements: one call, as in `database.run(addRows(call))`, or several that belong together. */
export interface BatchedCalls<Call, Result> {
  (call: Call): Statement<Result>;
  /** Runs all calls at once, without concurrent ones. */
  all(calls: Call[]): Statement<Result[]>;
}

/** Returns the function that converts calls to statements, which a transaction runs right before its commit. */
export function beforeCommit<Call>(
  statement: BeforeCommitStatement<Call>,
): (calls: readonly Call[]) => Statement<void> {
  return (calls) => ({ runOn: async (runner) => runner.runBeforeCommit(statement, calls) });
}

/** Returns the function that converts calls to statements, which run in batches with concurrent calls. */
export function batched<Call, Result>(statement: BatchedStatement<Call, Result>): BatchedCalls<Call, Result> {
  return Object.assign((call: Call): Statement<Result> => ({ runOn: (runner) => runner.runBatched(statement, call) }), {
    all: (calls: Call[]): Statement<Result[]> => ({ runOn: (runner) => runCalls(runner, statement, calls) }),
  });
}

/** Runs the calls at once, and has the listeners told after the commit. */
export async function runCalls<Call, Result>(
  runner: StatementRunner,
  statement: BatchedStatement<Call, Result>,
  calls: Call[],
): Promise<Result[]> {
  const results = await statement.run(runner, calls);
  runner.tell(topicsOf(statement, calls));
  return results;
}

/** Returns the topics of all calls. */
export function* topicsOf<Call>(
  statement: Pick<BatchedStatement<Call, unknown>, "topicsOf">,
  calls: readonly Call[],
): Generator<string> {
  if (statement.topicsOf) for (const call of calls) yield* statement.topicsOf(call);
}
