import type { Statement, Transaction, TransactionalQueryable } from "./statement.ts";

/**
 * A transaction that begins with its first statement and ends by `commit` or `rollBack`. Transactions within it are
 * parts of it: if one of them fails, nothing is committed. It takes no connection before it begins.
 */
export class LazyTransaction implements TransactionalQueryable {
  readonly #database: TransactionalQueryable;
  readonly #onBegin: (transaction: Transaction) => Promise<void>;
  readonly #end = Promise.withResolvers<void>();
  #begun: Promise<Transaction> | undefined;
  #isEnded = false;
  #ended: Promise<void> = Promise.resolve();
  #error: { error: unknown } | undefined;

  /** Runs `onBegin` before the first statement. If it throws, so does every statement. */
  constructor(database: TransactionalQueryable, onBegin: (transaction: Transaction) => Promise<void>) {
    this.#database = database;
    this.#onBegin = onBegin;
    this.#end.promise.catch(() => undefined);
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  async run<Result>(statement: Statement<Result>): Promise<Result> {
    return (await this.#begin()).run(statement);
  }

  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const begun = await this.#begin();
    try {
      return await work(begun);
    } catch (error) {
      this.#error ??= { error };
      throw error;
    }
  }

  /** Throws if nothing was committed, or if it is unknown whether it was. */
  async commit(): Promise<void> {
    if (this.#error) throw this.#error.error;
    this.#isEnded = true;
    this.#end.resolve();
    await this.#ended;
  }

  async rollBack(): Promise<void> {
    this.#isEnded = true;
    this.#end.reject(new Error("the transaction was rolled back"));
    await this.#ended.catch(() => undefined);
  }

  #begin(): Promise<Transaction> {
    if (this.#isEnded) throw new Error("the transaction has ended");
    this.#begun ??= new Promise((resolve, reject) => {
      this.#ended = this.#database.transaction(async (transaction) => {
        await this.#onBegin(transaction);
        resolve(transaction);
        await this.#end.promise;
      });
      this.#ended.catch(reject);
    });
    return this.#begun;
  }
}
