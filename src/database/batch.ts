import type { Database, Queryable } from "./database.ts";

/** What concurrent calls can share: one statement, one commit, a result for each call. */
export interface BatchedStatement<Call, Result, On extends Queryable = Queryable> {
  /** Runs all calls in one statement or transaction; returns their results in the same order. */
  run(database: On, calls: Call[]): Promise<Result[]>;
  /** Bytes that the call sends, roughly. */
  byteSize(call: Call): number;
  /** Names of the rows that only one call at a time may touch: a second one would wait for the commit of the first. */
  conflictKeys(call: Call): Iterable<string>;
  /** Statements under way at once. */
  maxRunning?: number;
  /** Calls in a statement. */
  maxCalls?: number;
}

/** The same for what takes several statements: one transaction, and so still one commit. */
export type BatchedTransaction<Call, Result> = BatchedStatement<Call, Result, Database>;

interface Waiting<Call, Result> {
  call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Two statements under way let the database commit one while this process prepares the next. */
const MAX_RUNNING = 2;
const MAX_CALLS = 256;
const MAX_BYTES = 1024 * 1024;

/**
 * Gathers the calls that arrive while earlier ones are being committed. A call is answered only after the commit
 * that holds it. When a shared statement fails, each of its calls runs again by itself: a bad one fails alone.
 */
export class Batch<Call, Result> {
  readonly #database: Database;
  readonly #statement: BatchedTransaction<Call, Result>;
  #waiting: Waiting<Call, Result>[] = [];
  #running = 0;
  /** Of the calls that are running. */
  readonly #rows = new Set<string>();
  #isScheduled = false;

  constructor(database: Database, statement: BatchedTransaction<Call, Result>) {
    this.#database = database;
    this.#statement = statement;
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      this.#schedule();
    });
  }

  /** After the events at hand, so that requests read from many sockets at once share their statement. */
  #schedule(): void {
    if (this.#isScheduled || this.#running >= (this.#statement.maxRunning ?? MAX_RUNNING) || this.#waiting.length === 0)
      return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const batch = this.#take();
      // None is free while all that wait share a row with those that are running, whose end comes back here.
      if (batch.length === 0) return;
      void this.#run(batch);
      this.#schedule();
    });
  }

  async #run(batch: Waiting<Call, Result>[]): Promise<void> {
    this.#running++;
    const rows = batch.flatMap(({ call }) => [...this.#statement.conflictKeys(call)]);
    for (const row of rows) this.#rows.add(row);
    try {
      const results = await this.#statement.run(this.#database, callsOf(batch));
      settle(batch, results);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((waiting) => this.#runAlone(waiting)));
    } finally {
      this.#running--;
      for (const row of rows) this.#rows.delete(row);
      this.#schedule();
    }
  }

  async #runAlone(waiting: Waiting<Call, Result>): Promise<void> {
    try {
      settle([waiting], await this.#statement.run(this.#database, [waiting.call]));
    } catch (error) {
      waiting.reject(error);
    }
  }

  /** The oldest calls that fit one statement; those that share a row with an earlier one stay in line. */
  #take(): Waiting<Call, Result>[] {
    const { maxCalls = MAX_CALLS } = this.#statement;
    const taken: Waiting<Call, Result>[] = [];
    const left: Waiting<Call, Result>[] = [];
    const rows = new Set(this.#rows);
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const own = [...this.#statement.conflictKeys(waiting.call)];
      bytes += this.#statement.byteSize(waiting.call);
      const fits = taken.length === 0 || (taken.length < maxCalls && bytes <= MAX_BYTES);
      if (fits && !own.some((row) => rows.has(row))) taken.push(waiting);
      else left.push(waiting);
      for (const row of own) rows.add(row);
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

/** Holds because the caller has compared the lengths. */
function resultAt<Result>(results: Result[], index: number): Result {
  return results[index] as Result;
}
