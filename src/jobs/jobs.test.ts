import { randomBytes } from "node:crypto";
import pino from "pino";
import Type from "typebox";
import { type TestContext, test } from "vitest";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { type Job, type JobContext, type Jobs, migrateJobs, openJobs } from "./jobs.ts";

const { database, connectionString } = await createTestDatabase();
const bare = await createTestDatabase({ isBare: true });

const Numbered = Type.Object({ number: Type.Integer() });

/** The test that closes at its end what it has opened. Several tests run concurrently. */
type Until = Pick<TestContext, "onTestFinished">;

/** Returns a job with its own queue that does `work`, and records its runs. */
function recordingJob(work: (context: JobContext, number: number) => Promise<void> = async () => {}) {
  const runs: number[] = [];
  const job: Job<typeof Numbered> = {
    name: `test-${randomBytes(6).toString("hex")}`,
    payload: Numbered,
    async run(context, { number }) {
      runs.push(number);
      await work(context, number);
    },
  };
  return { job, runs };
}

function open({ onTestFinished }: Until, url = connectionString): Database {
  const opened = openDatabase({ connection: { connectionString: url }, poolMax: 3, log: silentLog });
  onTestFinished(() => opened.close());
  return opened;
}

/** Starts workers with a connection pool of their own, as in a process. */
async function start(until: Until, job: Job<typeof Numbered>, on = open(until)): Promise<Jobs> {
  const jobs = await openJobs({ database: on, definitions: [job], log: silentLog });
  until.onTestFinished(() => jobs.stop());
  await jobs.work([job]);
  return jobs;
}

function send(jobs: Jobs, job: Job<typeof Numbered>, numbers: number[]): Promise<string[]> {
  return database.transaction((transaction) =>
    jobs.send(
      transaction,
      job,
      numbers.map((number) => ({ number })),
    ),
  );
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

test.concurrent("a job runs once with its payload after the transaction is committed, and only then", async ({
  expect,
  ...until
}) => {
  const { job, runs } = recordingJob();
  const jobs = await start(until, job);
  await database.transaction(async (transaction) => {
    const ids = await jobs.send(transaction, job, [{ number: 1 }, { number: 2 }]);
    expect(ids).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    await send(jobs, job, [3]);
    await expect.poll(() => runs).toEqual([3]);
  });
  await expect.poll(() => runs).toEqual([3, 1, 2]);
});

test.concurrent("a job sent by a rolled back transaction never runs", async ({ expect, ...until }) => {
  const { job, runs } = recordingJob();
  const jobs = await start(until, job);
  const failed = database.transaction(async (transaction) => {
    await jobs.send(transaction, job, [{ number: 1 }]);
    throw new Error("changed its mind");
  });
  await expect(failed).rejects.toThrow("changed its mind");
  await send(jobs, job, [2]);
  await expect.poll(() => runs).toEqual([2]);
});

test.concurrent("a job that fails is counted and retried until it succeeds, and does not delay the others", async ({
  expect,
  ...until
}) => {
  const { job, runs } = recordingJob(async (_context, number) => {
    if (number === 1 && runs.filter((run) => run === 1).length < 3) throw new Error("not yet");
  });
  const jobs = await start(until, job);
  await send(jobs, job, [1, 2]);
  await expect.poll(() => runs).toEqual([1, 2, 1, 1]);
  expect(jobs.failures).toEqual({ [job.name]: 2 });
});

test.concurrent("a hundred jobs on two processes each run once", async ({ expect, ...until }) => {
  const { job, runs } = recordingJob();
  const [jobs] = await Promise.all([start(until, job), start(until, job)]);
  await send(jobs, job, upTo(100));
  await expect.poll(() => runs.toSorted((a, b) => a - b)).toEqual(upTo(100));
});

test.concurrent("a stop lets the current step finish, and another process continues the job", async ({
  expect,
  ...until
}) => {
  const steps: string[] = [];
  const step = Promise.withResolvers<void>();
  const stepped = Promise.withResolvers<void>();
  const { job, runs } = recordingJob(async ({ signal }) => {
    if (runs.length > 1) return;
    stepped.resolve();
    await step.promise;
    steps.push("finished");
    signal.throwIfAborted();
    steps.push("went on");
  });
  const jobs = await start(until, job);
  await send(jobs, job, [1]);
  await stepped.promise;
  const stopping = jobs.stop().then(() => steps.push("stopped"));
  step.resolve();
  await stopping;
  expect(steps).toEqual(["finished", "stopped"]);
  await start(until, job);
  await expect.poll(() => runs).toEqual([1, 1]);
});

test.concurrent("a job sent while no worker runs is done by the next process", async ({ expect, ...until }) => {
  const { job, runs } = recordingJob();
  const jobs = await start(until, job);
  await jobs.stop();
  await send(jobs, job, [1]);
  await start(until, job);
  await expect.poll(() => runs).toEqual([1]);
});

test.concurrent("the depth counts queued and active jobs within seconds", async ({ expect, ...until }) => {
  const release = Promise.withResolvers<void>();
  const { job } = recordingJob(() => release.promise);
  const jobs = await start(until, job);
  await send(jobs, job, [1, 2, 3]);
  await expect.poll(() => jobs.depth()).toEqual([{ name: job.name, queued: 2, active: 1, failed: 0 }]);
  release.resolve();
  await expect.poll(() => jobs.depth()).toEqual([{ name: job.name, queued: 0, active: 0, failed: 0 }]);
});

test.concurrent("migrating twice, next to a running process, changes nothing", async ({ expect, ...until }) => {
  const { job, runs } = recordingJob();
  const jobs = await start(until, job);
  await Promise.all([migrateJobs(open(until)), migrateJobs(open(until))]);
  await send(jobs, job, [1]);
  await expect.poll(() => runs).toEqual([1]);
});

test.concurrent("a payload that does not match its schema is rejected, and nothing of the call is queued", async ({
  expect,
  ...until
}) => {
  const { job, runs } = recordingJob();
  const jobs = await start(until, job);
  const sent = database.transaction((transaction) => jobs.send(transaction, job, [{ number: 1 }, { number: 1.5 }]));
  await expect(sent).rejects.toThrow(`the payload of a ${job.name} job does not match its schema: /number must be`);
  await send(jobs, job, [2]);
  await expect.poll(() => runs).toEqual([2]);
});

test.concurrent("a queued payload that does not match its schema fails its job, and the log says why", async ({
  expect,
  ...until
}) => {
  const { job, runs } = recordingJob();
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const jobs = await openJobs({ database: open(until), definitions: [job], log });
  until.onTestFinished(() => jobs.stop());
  await jobs.work([job]);
  const former = { name: job.name, payload: Type.Object({ count: Type.Integer() }) };
  await database.transaction((transaction) => jobs.send(transaction, former, [{ count: 7 }]));
  await send(jobs, job, [2]);
  await expect.poll(() => runs).toEqual([2]);
  await expect.poll(() => lines.join("")).toContain(`the payload of a ${job.name} job does not match its schema`);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ job: job.name, msg: "a job failed and will be retried" });
});

test("jobs continue without a restart after the database has ended all connections", async ({ expect, ...until }) => {
  const { job, runs } = recordingJob();
  const jobs = await start(until, job);
  await send(jobs, job, [1]);
  await expect.poll(() => runs).toEqual([1]);
  await runSql(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await send(jobs, job, [2]);
  await expect.poll(() => runs).toEqual([1, 2]);
});

test("ten processes that start concurrently on an empty database all start and work", async ({ expect, ...until }) => {
  const { job, runs } = recordingJob();
  const pools = upTo(10).map(() => open(until, bare.connectionString));
  const processes = await Promise.all(pools.map((pool) => start(until, job, pool)));
  const payloads = upTo(20).map((number) => ({ number }));
  await Promise.all(
    processes.map((jobs, index) => pools[index]?.transaction((transaction) => jobs.send(transaction, job, payloads))),
  );
  const all = payloads.flatMap(({ number }) => Array(10).fill(number));
  await expect.poll(() => runs.toSorted((a, b) => a - b)).toEqual(all);
});
