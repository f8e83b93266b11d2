import {
  type BatchedStatement,
  type Queryable,
  type StatementRunner,
  type TransactionalQueryable,
  topicsOf,
} from "./statement.ts";

interface Waiting<Call, Result> {
  call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** What runs the batches. */
export type BatchDatabase = TransactionalQueryable & Pick<StatementRunner, "isDistributed" | "tell">;

/**
 * Time that a batch has before another begins beside it, so that calls do not wait for one that is slow or waits for a
 * lock. Usually a batch ends earlier, and all calls that have arrived meanwhile share the next. (Measured with adds
 * over 64 connections: 0.86 of the processor time that two batches at a time take.)
 */
const ALONE_MS = 20;
const MAX_CALLS = 256;
const MAX_BYTES = 1024 * 1024;

/**
 * Gathers the calls that arrive while earlier ones are being committed. A call resolves only after its own commit.
 * If a batch fails, each of its calls runs again alone, so that only the faulty ones fail.
 */
export class BatchQueue<Call, Result> {
  readonly #database: BatchDatabase;
  readonly #isDistributed: boolean;
  readonly #statement: BatchedStatement<Call, Result>;
  readonly #onEmpty: () => void;
  #waiting: Waiting<Call, Result>[] = [];
  #running = 0;
  /** Conflict keys of the calls in progress. */
  readonly #lockedKeys = new Set<string>();
  #isScheduled = false;
  /** Begins a batch beside others. */
  #extraBatchTimer: NodeJS.Timeout | undefined;

  /** Calls `onEmpty` whenever no call is left in the queue. */
  constructor(database: BatchDatabase, statement: BatchedStatement<Call, Result>, onEmpty: () => void) {
    this.#database = database;
    this.#isDistributed = database.isDistributed;
    this.#statement = statement;
    this.#onEmpty = onEmpty;
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      this.#schedule();
    });
  }

  /** Begins a batch as soon as it may: at once, or beside those that take long. */
  #schedule(): void {
    const { gatherMs, parallelBatches = 1 } = this.#statement;
    if (this.#isScheduled || this.#waiting.length === 0 || this.#running > parallelBatches) return;
    if (this.#running === parallelBatches) {
      this.#extraBatchTimer ??= setTimeout(() => this.#begin(), ALONE_MS);
      return;
    }
    clearTimeout(this.#extraBatchTimer);
    this.#isScheduled = true;
    // At least the current turn of the event loop, so that requests read from many sockets share a batch.
    if (gatherMs) setTimeout(() => this.#begin(), gatherMs);
    else setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isScheduled = false;
    this.#extraBatchTimer = undefined;
    const batch = this.#take();
    // Every waiting call conflicts with a batch in progress, which schedules again when it ends.
    if (batch.length === 0) return;
    void this.#run(batch);
    this.#schedule();
  }

  async #run(batch: Waiting<Call, Result>[]): Promise<void> {
    this.#running++;
    const keys = batch.flatMap(({ call }) => [...this.#statement.conflictKeys(call)]);
    for (const key of keys) this.#lockedKeys.add(key);
    try {
      const calls = callsOf(batch);
      const results = await this.#runCalls(calls);
      this.#tell(calls);
      settle(batch, results);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((waiting) => this.#runAlone(waiting)));
    } finally {
      this.#running--;
      for (const key of keys) this.#lockedKeys.delete(key);
      if (this.#running === 0 && this.#waiting.length === 0) this.#onEmpty();
      this.#schedule();
    }
  }

  #runCalls(calls: Call[]): Promise<Result[]> {
    if (!this.#statement.isTransaction) return this.#runIn(this.#database, calls);
    return this.#database.transaction((transaction) => this.#runIn(transaction, calls));
  }

  async #runIn(database: Queryable, calls: Call[]): Promise<Result[]> {
    const statement = this.#statement;
    if (!this.#isDistributed || !statement.runOnShard) return statement.run(database, calls);
    const results = await statement.runOnShard(database, calls);
    const left = calls.filter((_, index) => results[index] === undefined);
    const others = left.length > 0 ? await statement.run(database, left) : [];
    return results.map((result) => result ?? shiftResult(others));
  }

  /** Tells the listeners of calls whose batch has been committed. */
  #tell(calls: Call[]): void {
    this.#database.tell(topicsOf(this.#statement, calls));
  }

  async #runAlone(waiting: Waiting<Call, Result>): Promise<void> {
    try {
      const results = await this.#runCalls([waiting.call]);
      this.#tell([waiting.call]);
      settle([waiting], results);
    } catch (error) {
      waiting.reject(error);
    }
  }

  /** Takes the oldest calls that fit one batch. A call that conflicts with an earlier one stays in the queue. */
  #take(): Waiting<Call, Result>[] {
    const { maxCalls = MAX_CALLS } = this.#statement;
    const taken: Waiting<Call, Result>[] = [];
    const left: Waiting<Call, Result>[] = [];
    const keys = new Set(this.#lockedKeys);
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const own = [...this.#statement.conflictKeys(waiting.call)];
      bytes += this.#statement.byteSize(waiting.call);
      const fits = taken.length === 0 || (taken.length < maxCalls && bytes <= MAX_BYTES);
      if (fits && !own.some((key) => keys.has(key))) taken.push(waiting);
      else left.push(waiting);
      for (const key of own) keys.add(key);
    }
    this.#waiting = left;
    return taken;
  }
}

function callsOf<Call, Result>(batch: Waiting<Call, Result>[]): Call[] {
  return batch.map((waiting) => waiting.call);
}

function settle<Call, Result>(batch: Waiting<Call, Result>[], results: Result[]): void {
  if (results.length !== batch.length) throw new Error(`${batch.length} calls got ${results.length} results`);
  batch.forEach((waiting, index) => {
    waiting.resolve(resultAt(results, index));
  });
}

/** Removes the first result and returns it. */
function shiftResult<Result>(results: Result[]): Result {
  const [result] = results.splice(0, 1);
  if (result === undefined) throw new Error("a batch returned fewer results than it has calls");
  return result;
}

/** Returns the result at an index; the cast holds because the caller has compared the lengths. */
function resultAt<Result>(results: Result[], index: number): Result {
  return results[index] as Result;
}
