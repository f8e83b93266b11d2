import { type BatchDatabase, BatchQueue } from "./batch.ts";
import type { OrganizationKey } from "./keys.ts";
import type { BatchedStatement } from "./statement.ts";

/** One queue of calls for each statement and organization. */
export class BatchQueues {
  readonly #getDatabase: (organizationKey: OrganizationKey) => BatchDatabase;
  readonly #queues = new Map<unknown, Map<OrganizationKey, unknown>>();

  /** `getDatabase` returns what runs the batches of an organization. */
  constructor(getDatabase: (organizationKey: OrganizationKey) => BatchDatabase) {
    this.#getDatabase = getDatabase;
  }

  getQueue<Call, Result>(statement: BatchedStatement<Call, Result>, call: Call): BatchQueue<Call, Result> {
    const key = statement.organizationKey(call);
    const queues = this.#queues.get(statement) ?? new Map<OrganizationKey, unknown>();
    this.#queues.set(statement, queues);
    const queue = queues.get(key) ?? new BatchQueue(this.#getDatabase(key), statement, key, () => queues.delete(key));
    queues.set(key, queue);
    return asQueue(queue, statement);
  }
}

/** Returns the queue with its types; the cast holds because a queue is stored under its statement. */
function asQueue<Call, Result>(queue: unknown, _statement: BatchedStatement<Call, Result>): BatchQueue<Call, Result> {
  return queue as BatchQueue<Call, Result>;
}
