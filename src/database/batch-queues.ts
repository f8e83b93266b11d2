import { type BatchDatabase, BatchQueue } from "./batch.ts";
import { hasChangedNothing } from "./failures.ts";
import type { BatchedStatement, NodeBatch, Queryable } from "./statement.ts";

/** One queue of calls for each statement, and on Citus for each statement and organization, or statement and node. */
export class BatchQueues {
  readonly #database: BatchDatabase;
  readonly #queues = new Map<unknown, Map<unknown, unknown>>();

  constructor(database: BatchDatabase) {
    this.#database = database;
  }

  of<Call, Result>(statement: BatchedStatement<Call, Result>, call: Call): BatchQueue<Call, Result> {
    const key = this.#database.isDistributed ? (statement.organizationKey?.(call) ?? "") : "";
    return this.#queue(statement, key, () => statement);
  }

  /** Returns the queue of the calls that a node runs. Those of all its organizations share batches. */
  ofNode<Call, Result>(
    node: Queryable,
    statement: BatchedStatement<Call, Result>,
    batch: NodeBatch<Call, Result>,
  ): BatchQueue<Call, Result | undefined> {
    return this.#queue(statement, node, () => {
      const { runOnShard: _, ...common } = statement;
      return { ...common, run: (coordinator: Queryable, calls: Call[]) => runOnNode(batch, node, coordinator, calls) };
    });
  }

  #queue<Call, Result>(
    statement: unknown,
    key: unknown,
    create: () => BatchedStatement<Call, Result>,
  ): BatchQueue<Call, Result> {
    const queues = this.#queues.get(statement) ?? new Map<unknown, unknown>();
    this.#queues.set(statement, queues);
    const queue = queues.get(key) ?? new BatchQueue(this.#database, create(), () => queues.delete(key));
    queues.set(key, queue);
    return asQueueOf(queue, create);
  }
}

/** Runs calls on a node. Returns undefined for all of them if it cannot run them now and has changed nothing. */
async function runOnNode<Call, Result>(
  batch: NodeBatch<Call, Result>,
  node: Queryable,
  coordinator: Queryable,
  calls: Call[],
): Promise<(Result | undefined)[]> {
  try {
    return await batch.run(node, coordinator, calls);
  } catch (error) {
    if (!hasChangedNothing(error)) throw error;
    return calls.map(() => undefined);
  }
}

/** Returns the queue with its types; the cast holds because a queue is stored under what it was made for. */
function asQueueOf<Call, Result>(
  queue: unknown,
  _create: () => BatchedStatement<Call, Result>,
): BatchQueue<Call, Result> {
  return queue as BatchQueue<Call, Result>;
}
