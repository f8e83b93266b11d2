import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { PgBoss, type QueueOptions } from "pg-boss";
import type { Logger } from "pino";
import type { Static, TObject } from "typebox";
import type { Database } from "../database/database.ts";
import { isDatabaseUnavailable } from "../database/failures.ts";
import type { Queryable } from "../database/statement.ts";
import { assertPayload, type JobDefinition } from "./payload.ts";
import { selectQueuesWithWork } from "./queries.ts";

/** Work that outlives the request that asked for it, and the process that began it. */
export interface Job<Payload extends TObject = TObject> extends JobDefinition<Payload> {
  /** How many a process works on at the same time; 1 unless it says otherwise. */
  concurrency?: number;
  /** Between two tries; for long work, which many restarts of the service may interrupt. */
  longestRetryDelaySeconds?: number;
  /**
   * Runs at least once to its end, now and then twice at the same time, after a kill from the start: it must be
   * idempotent, in steps of under a second, and call `signal.throwIfAborted()` between them. Whatever it throws, it
   * runs again later; what is no Postponement is logged.
   */
  run(context: JobContext, payload: Static<Payload>): Promise<void>;
}

/** Thrown by a job that would have to wait for too long: others shall have their turn. */
export class Postponement extends Error {}

export interface JobContext {
  database: Database;
  log: Logger;
  /** Aborted when the process stops, or when another one has taken the job over. */
  signal: AbortSignal;
}

/** For the operations that ask for work, or how much there is. */
export interface JobQueue {
  /**
   * Queues a job for each payload: it runs if, and only after, the transaction is committed. The payloads are kept as
   * jsonb, so their texts must be Identifiers. Throws if one does not match its schema. Returns the jobs' ids.
   */
  send<Payload extends TObject>(
    transaction: Queryable,
    definition: JobDefinition<Payload>,
    payloads: Static<Payload>[],
  ): Promise<string[]>;
  /** Jobs by name and state, as of a few seconds ago; one statement on a small table. */
  depth(): Promise<{ name: string; queued: number; active: number; failed: number }[]>;
}

export interface Jobs extends JobQueue {
  /** Takes no more jobs, waits for the step at hand of those that run; another process goes on with them. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** They are woken by one poll for all: a poll of each, every second, took 1 % of a core of a service at rest. */
const WORKER_POLL_SECONDS = 60;
/** A killed process is noticed after a heartbeat (pg-boss allows no shorter one) and a supervision. */
const HEARTBEAT_SECONDS = 10;
const SUPERVISION_SECONDS = 5;
const LONGEST_RETRY_DELAY_SECONDS = 300;
const DAY_SECONDS = 24 * 60 * 60;

const QUEUE: QueueOptions = {
  // Nothing is given up: what fails by a bug is tried until a version without it runs.
  retryLimit: 2 ** 31 - 1,
  retryDelay: 1,
  retryBackoff: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: DAY_SECONDS / 2,
  retentionSeconds: 365 * DAY_SECONDS,
  deleteAfterSeconds: DAY_SECONDS,
};

/** Brings the queue's own schema up to date; processes that do so together wait for the first one. */
export async function migrateJobs(database: Database): Promise<void> {
  const boss = createBoss(database, { supervise: false });
  // Of what it begins beside the migration, and a service would go on with.
  boss.on("error", () => {});
  await boss.start().finally(() => boss.stop({ graceful: false }));
}

/** Works on the jobs of the catalogue from now on, and takes new ones. */
export async function startJobs(options: {
  database: Database;
  catalogue: readonly Job[];
  log: Logger;
}): Promise<Jobs> {
  const { database, catalogue, log } = options;
  const stopping = new AbortController();
  const names = catalogue.map(({ name }) => name);
  const workers = new Map<string, string[]>(names.map((name) => [name, []]));
  let polling: Promise<void> | undefined;
  const boss = createBoss(database, { supervise: true });
  const report = (err: Error) => {
    if (!("isUnavailable" in err)) log.warn({ err }, "the job queue met an error");
  };
  boss.on("error", report);

  async function work(job: Job): Promise<void> {
    const interval = { pollingIntervalSeconds: WORKER_POLL_SECONDS };
    const workerId = await boss.work<unknown>(job.name, interval, async (taken) => {
      for (const { id, data, signal: claim } of taken) {
        const signal = AbortSignal.any([claim, stopping.signal]);
        try {
          assertPayload(job, data);
          await job.run({ database, log, signal }, data);
        } catch (err) {
          const isFailure = !signal.aborted && !(err instanceof Postponement);
          if (isFailure) log.error({ err, job: job.name, id }, "a job failed and will be tried again");
          throw err;
        }
      }
      // The next one, if there is one, need not wait for a poll.
      boss.notifyWorker(workerId);
    });
    workers.get(job.name)?.push(workerId);
  }

  async function wakeWorkers(): Promise<void> {
    const queues = await selectQueuesWithWork(database, names).catch(markUnavailable);
    for (const workerId of queues.flatMap((name) => workers.get(name) ?? [])) boss.notifyWorker(workerId);
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await wakeWorkers().catch(report);
      await delay(POLL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await polling;
    await Promise.all(names.map((name) => boss.offWork(name, { wait: true })));
    await boss.stop({ graceful: false });
  }

  try {
    await boss.start();
    await prepareQueues(boss, catalogue);
    for (const job of catalogue) {
      for (let worker = 0; worker < (job.concurrency ?? 1); worker++) await work(job);
    }
    polling = poll();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async send(transaction, definition, payloads) {
      for (const payload of payloads) assertPayload(definition, payload);
      const jobs = payloads.map((data) => ({ data }));
      const db = { executeSql: executeOn(transaction) };
      return (await boss.insert(definition.name, jobs, { db, returnId: true })) ?? [];
    },
    async depth() {
      const queues = await boss.getQueues(names);
      return queues.map(({ name, queuedCount, activeCount, failedCount }) => ({
        name,
        queued: queuedCount,
        active: activeCount,
        failed: failedCount,
      }));
    },
    stop,
  };
}

/** Makes those that are missing, and changes those that another version has made with other settings. */
async function prepareQueues(boss: PgBoss, catalogue: readonly Job[]): Promise<void> {
  const found = await boss.getQueues(catalogue.map(({ name }) => name));
  const queues = new Map(found.map((queue) => [queue.name, queue]));
  for (const { name, longestRetryDelaySeconds = LONGEST_RETRY_DELAY_SECONDS } of catalogue) {
    const options = { ...QUEUE, retryDelayMax: longestRetryDelaySeconds };
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, options);
    else if (!isDeepStrictEqual({ ...queue, ...options }, queue)) await boss.updateQueue(name, options);
  }
}

function createBoss(database: Database, { supervise }: { supervise: boolean }): PgBoss {
  return new PgBoss({
    db: { executeSql: executeOn(database) },
    supervise,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
    // Nobody uses these: jobs that wait for jobs, jobs by the clock, and advice on vacuum.
    flowIntervalSeconds: DAY_SECONDS,
    schedule: false,
    monitorVacuum: false,
  });
}

/** Returns the function by which pg-boss runs its SQL. */
function executeOn(database: Queryable) {
  return async (text: string, values: unknown[] = []) => {
    const rows = database.run({ runOn: (connection) => connection.execute({ text, values }) });
    return { rows: await rows.catch(markUnavailable) };
  };
}

/** pg-boss hands on copies of errors, which lose their class but not a mark. */
function markUnavailable(error: unknown): never {
  if (error instanceof Error && isDatabaseUnavailable(error)) Object.assign(error, { isUnavailable: true });
  throw error;
}
