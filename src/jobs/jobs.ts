import { isDeepStrictEqual } from "node:util";
import { PgBoss, type QueueOptions } from "pg-boss";
import type { Logger } from "pino";
import type { Static, TObject } from "typebox";
import { LIMITS } from "../config/limits.ts";
import type { Database } from "../database/database.ts";
import { isDatabaseUnavailable } from "../database/database-errors.ts";
import type { Queryable } from "../database/statement.ts";
import { getErrorType, type Telemetry } from "../telemetry/telemetry.ts";
import { assertPayload, type JobDefinition } from "./payload.ts";

/** Durable background work: it outlives the request that queued it and the process that started it. */
export interface Job<Payload extends TObject = TObject> extends JobDefinition<Payload> {
  /** Number of these jobs that a process works on at the same time; 1 by default. */
  concurrency?: number;
  /**
   * Does the work. It runs at least once to its end; after a kill it runs again from the start, rarely twice at the
   * same time. It must be idempotent and call `signal.throwIfAborted()` between steps of less than a second. A job
   * that throws is retried; the error is logged unless it is a RetryLater.
   */
  run(context: JobContext, payload: Static<Payload>): Promise<void>;
}

/** Thrown by a job that would have to wait, so that other jobs of its queue can run meanwhile. */
export class RetryLater extends Error {}

export interface JobContext {
  database: Database;
  log: Logger;
  /** Aborted when the process stops, or when another process has taken over the job. */
  signal: AbortSignal;
}

/** The queue to which operations send jobs. */
export interface JobQueue {
  /**
   * Queues a job for each payload. It runs if, and only after, the transaction is committed. The payloads are stored as
   * jsonb, so their texts must be Identifiers. `startsAt` has the earliest times at which the jobs run, in the order
   * of the payloads; without one, a job runs at once. Throws if a payload does not match its schema. Returns the IDs.
   */
  send<Payload extends TObject>(
    transaction: Queryable,
    definition: JobDefinition<Payload>,
    payloads: Static<Payload>[],
    startsAt?: readonly Date[],
  ): Promise<string[]>;
  /** Returns the number of jobs by name and state, a few seconds old. It takes one statement on a small table. */
  depth(): Promise<{ name: string; queued: number; active: number; failed: number }[]>;
}

export interface Jobs extends JobQueue {
  /** Number of attempts of this process that failed, by the name of the job. */
  readonly failures: Readonly<Record<string, number>>;
  /** Starts workers for the jobs. */
  work(jobs: readonly Job[]): Promise<void>;
  /** Takes no more jobs and waits for the current step of each running job; other processes continue these. */
  stop(): Promise<void>;
}

/** Delay after which workers look for a job that this process has sent. Its transaction has usually ended by then. */
const WAKE_DELAY_MS = 50;
/** Shortest heartbeat that pg-boss allows. A dead process is noticed after a heartbeat and a supervision interval. */
const HEARTBEAT_SECONDS = 10;
const SUPERVISION_SECONDS = 5;
const LONGEST_RETRY_DELAY_SECONDS = 300;
const DAY_SECONDS = 24 * 60 * 60;

const QUEUE: QueueOptions = {
  // No job is given up: one that fails because of a bug succeeds with the version that fixes it.
  retryLimit: 2 ** 31 - 1,
  retryDelay: 1,
  retryBackoff: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: DAY_SECONDS / 2,
  retentionSeconds: 365 * DAY_SECONDS,
  deleteAfterSeconds: DAY_SECONDS,
};

/** Migrates pg-boss's own schema. Processes that do so at the same time wait for the first one. */
export async function migrateJobs(database: Database): Promise<void> {
  const boss = createBoss(database, { supervise: false });
  // Stopping interrupts what starting begins besides the migration; the service completes that later.
  boss.on("error", () => {});
  await boss.start().finally(() => boss.stop({ graceful: false }));
}

/** Opens the queues of the definitions, to which jobs can be sent from now on. */
export async function openJobs(options: {
  database: Database;
  definitions: readonly JobDefinition[];
  log: Logger;
  telemetry?: Telemetry | undefined;
  pollSeconds?: number;
}): Promise<Jobs> {
  const { database, definitions, log, telemetry, pollSeconds = LIMITS.jobPollSeconds } = options;
  const stopping = new AbortController();
  const names = definitions.map(({ name }) => name);
  const failures = Object.fromEntries(names.map((name) => [name, 0]));
  const workers = new Map<string, string[]>(names.map((name) => [name, []]));
  const wakeTimers = new Map<string, NodeJS.Timeout>();
  const boss = createBoss(database, { supervise: true });
  boss.on("error", (err) => {
    if (!("isUnavailable" in err)) log.warn({ err }, "the job queue reported an error");
  });

  async function addWorker(job: Job): Promise<void> {
    const workerId = await boss.work<unknown>(job.name, { pollingIntervalSeconds: pollSeconds }, async (taken) => {
      for (const { id, data, signal: claim } of taken) {
        const signal = AbortSignal.any([claim, stopping.signal]);
        try {
          assertPayload(job, data);
          await traced(telemetry, job, id, data, () => job.run({ database, log, signal }, data));
        } catch (err) {
          const isError = !signal.aborted && !(err instanceof RetryLater);
          if (isError) {
            failures[job.name] = (failures[job.name] ?? 0) + 1;
            log.error({ err, job: job.name, id }, "a job failed and will be retried");
          }
          throw err;
        }
      }
      // The next job, if any, need not wait for a poll.
      boss.notifyWorker(workerId);
    });
    workers.get(job.name)?.push(workerId);
  }

  /** Wakes the workers of this process. Those of other processes find what is left with their next poll. */
  function wakeSoon(name: string): void {
    if (stopping.signal.aborted || wakeTimers.has(name)) return;
    const wake = () => {
      wakeTimers.delete(name);
      for (const workerId of workers.get(name) ?? []) boss.notifyWorker(workerId);
    };
    wakeTimers.set(name, setTimeout(wake, WAKE_DELAY_MS));
  }

  async function stop(): Promise<void> {
    stopping.abort();
    for (const timer of wakeTimers.values()) clearTimeout(timer);
    await Promise.all(names.map((name) => boss.offWork(name, { wait: true })));
    await boss.stop({ graceful: false });
  }

  try {
    await boss.start();
    await prepareQueues(boss, definitions);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    failures,
    async send(transaction, definition, payloads, startsAt = []) {
      for (const payload of payloads) assertPayload(definition, payload);
      // Stored in addition to the fields of the schema, so that the jobs continue the trace of the request.
      const trace = telemetry?.traceContext;
      const jobs = payloads.map((payload, index) => {
        const data = { ...payload, ...trace };
        const startAfter = startsAt[index];
        return startAfter === undefined ? { data } : { data, startAfter };
      });
      const db = { executeSql: executeOn(transaction) };
      const ids = await boss.insert(definition.name, jobs, { db, returnId: true });
      wakeSoon(definition.name);
      return ids ?? [];
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
    async work(jobs) {
      for (const job of jobs) {
        for (let worker = 0; worker < (job.concurrency ?? 1); worker++) await addWorker(job);
      }
    },
    stop,
  };
}

/** Runs a job as a part of the trace of the request that has sent it. */
async function traced(
  telemetry: Telemetry | undefined,
  { name }: JobDefinition,
  id: string,
  payload: object,
  run: () => Promise<void>,
): Promise<void> {
  if (!telemetry) return run();
  const attributes = { "messaging.destination.name": name, "messaging.message.id": id };
  // The payload has the fields of the trace context, if the request had one.
  const span = telemetry.startTrace({ kind: "job", name, attributes }, payload);
  try {
    await span.run(run);
    span.end();
  } catch (error) {
    span.end({}, getErrorType(error));
    throw error;
  }
}

/** Creates the queues that are missing, and updates those that another version has created with other settings. */
async function prepareQueues(boss: PgBoss, definitions: readonly JobDefinition[]): Promise<void> {
  const found = await boss.getQueues(definitions.map(({ name }) => name));
  const queues = new Map(found.map((queue) => [queue.name, queue]));
  for (const { name, longestRetryDelaySeconds = LONGEST_RETRY_DELAY_SECONDS } of definitions) {
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
    // Colloquy uses no dependent jobs, no schedules and no advice on vacuum.
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

/** Marks errors of an unavailable database by a property. pg-boss reports copies of errors, which lose their class. */
function markUnavailable(error: unknown): never {
  if (error instanceof Error && isDatabaseUnavailable(error)) Object.assign(error, { isUnavailable: true });
  throw error;
}
