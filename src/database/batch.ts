import { isRolledBack } from "./database-errors.ts";
import type { OrganizationKey } from "./keys.ts";
import {
  type BatchedStatement,
  getTopics,
  type Queryable,
  resultAt,
  type StatementRunner,
  type TransactionalQueryable,
} from "./statement.ts";

interface Waiting<Call, Result> {
  call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** What runs the batches. */
export type BatchDatabase = TransactionalQueryable & Pick<StatementRunner, "emit">;

/**
 * Time that a batch has before another begins beside it, so that calls do not wait for one that is slow or waits for a
 * lock. Usually a batch ends earlier, and all calls that have arrived meanwhile share the next. (Measured with adds
 * over 64 connections: 0.86 of the processor time that two batches at a time take.)
 */
const ALONE_MS = 20;
const MAX_CALLS = 256;
const MAX_BYTES = 1024 * 1024;

/**
 * Gathers the calls of one organization that arrive while earlier ones are being committed. A call resolves only after
 * its own commit. If PostgreSQL rejects the statement of a batch, each call runs again alone, so that only the failing
 * ones fail. After any other error the batch may have been committed, so all its calls fail.
 */
export class BatchQueue<Call, Result> {
  readonly #database: BatchDatabase;
  readonly #statement: BatchedStatement<Call, Result>;
  readonly #organizationKey: OrganizationKey;
  readonly #onEmpty: () => void;
  #waiting: Waiting<Call, Result>[] = [];
  #running = 0;
  /** Conflict keys of the calls in progress. */
  readonly #lockedKeys = new Set<string>();
  #isScheduled = false;
  /** Begins a batch beside others. */
  #extraBatchTimer: NodeJS.Timeout | undefined;

  /** Calls `onEmpty` whenever no call is left in the queue. */
  constructor(
    database: BatchDatabase,
    statement: BatchedStatement<Call, Result>,
    organizationKey: OrganizationKey,
    onEmpty: () => void,
  ) {
    this.#database = database;
    this.#statement = statement;
    this.#organizationKey = organizationKey;
    this.#onEmpty = onEmpty;
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      this.#schedule();
    });
  }

  /** Begins a batch as soon as it may: immediately, or while another one takes long. */
  #schedule(): void {
    const { gatherMs } = this.#statement;
    if (this.#isScheduled || this.#waiting.length === 0 || this.#running > 1) return;
    if (this.#running === 1) {
      this.#extraBatchTimer ??= setTimeout(() => this.#begin(), ALONE_MS);
      return;
    }
    clearTimeout(this.#extraBatchTimer);
    this.#isScheduled = true;
    // At least the current iteration of the event loop, so that requests read from many sockets share a batch.
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
    let mayBeCommitted = false;
    try {
      await this.#runCalls(batch, () => {
        mayBeCommitted = true;
      });
    } catch (error) {
      if (batch.length > 1 && !mayBeCommitted && isRolledBack(error)) {
        await Promise.all(batch.map((waiting) => this.#runAlone(waiting)));
      } else for (const { reject } of batch) reject(error);
    } finally {
      this.#running--;
      for (const key of keys) this.#lockedKeys.delete(key);
      if (this.#running === 0 && this.#waiting.length === 0) this.#onEmpty();
      this.#schedule();
    }
  }

  /** Runs the calls and settles them. Calls `onCommit` before the commit of a transaction, and after a statement. */
  async #runCalls(batch: Waiting<Call, Result>[], onCommit: () => void): Promise<void> {
    const calls = batch.map(({ call }) => call);
    const run = (database: Queryable) => this.#statement.run(database, this.#organizationKey, calls);
    const results = this.#statement.isTransaction
      ? await this.#database.transaction(async (transaction) => {
          const results = await run(transaction);
          // The error of a COMMIT does not say whether it has taken effect.
          onCommit();
          return results;
        })
      : await run(this.#database);
    onCommit();
    this.#database.emit(getTopics(this.#statement, calls));
    settle(batch, results);
  }

  async #runAlone(waiting: Waiting<Call, Result>): Promise<void> {
    try {
      await this.#runCalls([waiting], () => {});
    } catch (error) {
      waiting.reject(error);
    }
  }

  /** Takes the oldest calls that fit one batch. A call that conflicts with an earlier one stays in the queue. */
  #take(): Waiting<Call, Result>[] {
    const taken: Waiting<Call, Result>[] = [];
    const left: Waiting<Call, Result>[] = [];
    const keys = new Set(this.#lockedKeys);
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const own = [...this.#statement.conflictKeys(waiting.call)];
      bytes += this.#statement.byteSize(waiting.call);
      const fits = taken.length === 0 || (taken.length < MAX_CALLS && bytes <= MAX_BYTES);
      if (fits && !own.some((key) => keys.has(key))) taken.push(waiting);
      else left.push(waiting);
      for (const key of own) keys.add(key);
    }
    this.#waiting = left;
    return taken;
  }
}

function settle<Call, Result>(batch: Waiting<Call, Result>[], results: Result[]): void {
  if (results.length !== batch.length) throw new Error(`${batch.length} calls got ${results.length} results`);
  batch.forEach((waiting, index) => {
    waiting.resolve(resultAt(results, index));
  });
}
