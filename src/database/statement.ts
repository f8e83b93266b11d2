import type { OrganizationKey } from "./keys.ts";

/** A statement, or several, that returns a result of this type. */
export interface Statement<Result> {
  runOn(runner: StatementRunner): Promise<Result>;
}

/** Runs statements: the connection pool or one transaction. */
export interface Queryable {
  run<Result>(statement: Statement<Result>): Promise<Result>;
}

/** Runs statements in one transaction, so that the rows that they lock stay locked until it ends. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

/** Runs statements and transactions: the connection pool. */
export interface TransactionalQueryable extends Queryable {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}

/** SQL text with its values. */
export interface Query {
  text: string;
  values: readonly unknown[];
  /** Name of the prepared statement; absent if PostgreSQL plans the text on each call. */
  name?: string;
  /** Whether the rows may have more than a mebibyte. */
  isLarge?: true;
}

/** Runs queries and batched statements: on the pool, or in one transaction. */
export interface StatementRunner extends Queryable {
  /** Whether the database is spread over a Citus cluster, where a statement of one organization runs on one node. */
  readonly isDistributed: boolean;
  /** Runs one text and returns its rows. */
  execute<Row>(query: Query): Promise<Row[]>;
  /** Runs a call in a batch with concurrent calls of the same statement; in a transaction, alone. */
  runBatched<Call, Result>(statement: BatchedStatement<Call, Result>, call: Call): Promise<Result>;
  /** Schedules calls, which run together with all others of the same statement right before the commit. */
  scheduleBeforeCommit<Call>(statement: BeforeCommitStatement<Call>, calls: readonly Call[]): void;
  /** Calls the listeners of the database with these topics after the commit. */
  emit(topics: Iterable<string>): void;
}

/** One statement that concurrent calls share: one round trip, one commit, and a result for each call. */
export interface BatchedStatement<Call, Result> {
  /** Runs all calls, which are of one organization; returns their results in the same order. */
  run(database: Queryable, organizationKey: OrganizationKey, calls: Call[]): Promise<Result[]>;
  /** Approximate number of bytes that the call sends. */
  byteSize(call: Call): number;
  /** Keys of the rows that the call locks. Calls with a common key never share a batch or run at the same time. */
  conflictKeys(call: Call): Iterable<string>;
  /** Organization whose rows the call reads or writes. Calls of different organizations never share a batch. */
  organizationKey(call: Call): OrganizationKey;
  /** Topics that are emitted after the commit of the call. */
  getTopics?(call: Call): Iterable<string>;
  /** Whether `run` takes several statements, which are then one transaction. */
  isTransaction?: true;
  /** Milliseconds for which calls are gathered before a batch begins; by default only those of one loop iteration. */
  gatherMs?: number;
}

/** Statements that a transaction runs once, right before its commit: what they lock is locked no longer than that. */
export interface BeforeCommitStatement<Call> extends Pick<BatchedStatement<Call, void>, "getTopics"> {
  run(transaction: Transaction, calls: readonly Call[]): Promise<void>;
}

/** Returns the function that converts calls to statements, which a transaction runs right before its commit. */
export function beforeCommit<Call>(
  statement: BeforeCommitStatement<Call>,
): (calls: readonly Call[]) => Statement<void> {
  return (calls) => ({ runOn: async (runner) => runner.scheduleBeforeCommit(statement, calls) });
}

/** Returns the function that converts a call to a statement, which runs in a batch with concurrent calls. */
export function batched<Call, Result>(statement: BatchedStatement<Call, Result>): (call: Call) => Statement<Result> {
  return (call) => ({ runOn: (runner) => runner.runBatched(statement, call) });
}

/** Runs a call alone, and emits its topics after the commit. */
export async function runCall<Call, Result>(
  runner: StatementRunner,
  statement: BatchedStatement<Call, Result>,
  call: Call,
): Promise<Result> {
  const results = await statement.run(runner, statement.organizationKey(call), [call]);
  runner.emit(getTopics(statement, [call]));
  return resultAt(results, 0);
}

/** Returns the result at an index; the cast holds because the statement returns a result for each call. */
export function resultAt<Result>(results: readonly Result[], index: number): Result {
  if (index >= results.length) throw new Error("a batched statement returned fewer results than it has calls");
  return results[index] as Result;
}

/** Returns the topics of all calls. */
export function* getTopics<Call>(
  statement: Pick<BatchedStatement<Call, unknown>, "getTopics">,
  calls: readonly Call[],
): Generator<string> {
  if (statement.getTopics) for (const call of calls) yield* statement.getTopics(call);
}
