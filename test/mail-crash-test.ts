import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Database } from "../src/database/database.ts";
import { createWorkspace } from "../src/features/workspaces/workspaces.ts";
import { addAnnotations, comment, type NewComment } from "./comments.ts";
import { makePublic, TestWorkspace } from "./harness.ts";
import { expireHeartbeats, skipRetryDelays } from "./killed-jobs.ts";
import { allowMails } from "./mails.ts";
import type { Random } from "./random.ts";
import { runSql } from "./run-sql.ts";
import { ServiceProcess, temporaryDataDir } from "./service-process.ts";
import { UnreliableMailServer } from "./unreliable-mail-server.ts";

/** Users who are tagged in every comment. Each has another address in each comment. */
export const RECIPIENTS = ["nobody", "unwanted", ...Array.from({ length: 8 }, (_, number) => `user-${number}`)];
/** Number of unsent mails below which the mail server stops failing, so that the test ends. */
const FAULTLESS_BELOW = 10;

/** A service process that can be killed and started again. */
class RestartableProcess {
  /** Address of the service; empty while no process runs. */
  address = "";
  readonly #environment: Record<string, string>;
  readonly #runs: ServiceProcess[] = [];

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const run = new ServiceProcess(this.#environment);
    this.#runs.push(run);
    this.address = await run.address();
  }

  async kill(): Promise<void> {
    this.address = "";
    await this.#runs.at(-1)?.kill();
  }

  /** Output of all processes so far. */
  get log(): string {
    return this.#runs.map(({ stdout }) => stdout).join("");
  }
}

/** Two service processes on one database, and a faulty mail server. */
export class MailCrashTest {
  readonly server: UnreliableMailServer;
  readonly dataDir: string;
  readonly processes: readonly [RestartableProcess, RestartableProcess];
  readonly #random: Random;
  readonly #database: Database;

  static async start(connectionString: string, database: Database, random: Random): Promise<MailCrashTest> {
    await createLedger(database);
    const started = new MailCrashTest(connectionString, database, random, await temporaryDataDir());
    await started.server.start();
    onTestFinished(() => started.server.stop());
    await Promise.all(started.processes.map((process) => process.start()));
    return started;
  }

  private constructor(connectionString: string, database: Database, random: Random, dataDir: string) {
    const environment = {
      ALLOW_PRIVATE_ADDRESSES: "true",
      DATABASE_URL: connectionString,
      DATA_DIR: dataDir,
      SECRET_KEY: "5".repeat(64),
    };
    this.server = new UnreliableMailServer(random);
    this.dataDir = dataDir;
    this.processes = [new RestartableProcess(environment), new RestartableProcess(environment)];
    this.#random = random;
    this.#database = database;
  }

  /** Creates a workspace whose mails go to the faulty mail server or to the outbox. */
  async workspace(destination: "server" | "outbox"): Promise<TestWorkspace> {
    const created = await createWorkspace(this.#database, { name: destination, activityServiceEnabled: true });
    const workspace = await makePublic(new TestWorkspace(this.processes[0].address, created));
    const settings = {
      server: {
        type: "smtp" as const,
        apiKey: `smtp://127.0.0.1:${this.server.port}`,
        fromEmail: "notices@example.com",
      },
      outbox: {},
    };
    await allowMails(workspace, ["comment_annotation.add"], settings[destination]);
    return workspace;
  }

  /** Returns the workspace with calls to a running process. */
  at(workspace: TestWorkspace): TestWorkspace {
    return workspace.at(this.#pickRunning().address);
  }

  /** Sends a call. Returns undefined if the process was killed before it responded; the outcome is unknown then. */
  async call<Result>(workspace: TestWorkspace, send: (at: TestWorkspace) => Promise<Result>) {
    const process = this.#pickRunning();
    const { address } = process;
    try {
      return await send(workspace.at(address));
    } catch (error) {
      const isResponse = error instanceof Error && error.name === "AssertionError";
      if (isResponse || process.address === address) throw error;
    }
  }

  /** Adds a comment that sends a mail to each recipient. Returns whether the service acknowledged it. */
  async addComment(
    workspace: TestWorkspace,
    number: number,
    fields: { tagged?: NewComment["taggedUserContacts"] } = {},
  ): Promise<boolean> {
    const { tagged = [], ...rest } = fields;
    const contacts = RECIPIENTS.map((name) => {
      return { userId: `${name}-${number}`, contact: { email: getAddress(name, number) } };
    });
    const commentData = [
      comment({ commentText: `comment ${number}`, ...rest, taggedUserContacts: [...contacts, ...tagged] }),
    ];
    const annotations = [{ annotationId: `annotation-${number}`, commentData }];
    return (await this.call(workspace, (at) => addAnnotations(at, annotations))) !== undefined;
  }

  /** Kills and restarts a random process at random moments, and sometimes stops the mail server meanwhile. */
  async killRepeatedly(kills: number): Promise<void> {
    for (let kill = 0; kill < kills; kill++) {
      const isAway = this.#random.chance(0.3);
      if (isAway) await this.server.stop();
      await Promise.race([this.server.nextEvents(this.#random.integer(1, 60)), delay(this.#random.integer(100, 2000))]);
      const victim = this.processes[this.#random.integer(0, 1) === 0 ? 0 : 1];
      await victim.kill();
      if (isAway) await this.server.start();
      await victim.start();
    }
  }

  /** Kills both processes, lets their leases expire, restarts them, and waits until `countRemaining` returns 0. */
  async finish(countRemaining: () => Promise<number>): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
    await expect.poll(() => this.server.pendingContents).toBe(0);
    await this.#simulateHour();
    await Promise.all(this.processes.map((process) => process.start()));
    const count = async () => {
      await skipRetryDelays(this.#database);
      const remaining = await countRemaining();
      if (remaining < FAULTLESS_BELOW) this.server.stopErrors();
      return remaining;
    };
    await expect.poll(count).toBe(0);
    await expect.poll(() => this.server.pendingContents).toBe(0);
  }

  /** Output of both services. */
  get log(): string {
    return this.processes.map(({ log }) => log).join("");
  }

  #pickRunning(): RestartableProcess {
    const running = this.processes.filter(({ address }) => address !== "");
    const chosen = running[this.#random.integer(0, running.length - 1)];
    if (!chosen) throw new Error("No process is running.");
    return chosen;
  }

  async #simulateHour(): Promise<void> {
    await runSql(this.#database, "update mails set taken_at = taken_at - 3600000 where taken_at is not null");
    await expireHeartbeats(this.#database);
  }
}

export function getAddress(name: string, number: number): string {
  return `${name}.${number}@example.com`;
}

/** Creates a table that a trigger fills with every queued mail, because sent mails are deleted from their table. */
async function createLedger(database: Database): Promise<void> {
  await runSql(database, "create schema if not exists ledger");
  await runSql(
    database,
    "create table if not exists ledger.mails (id uuid primary key, workspace_id uuid, address text)",
  );
  await runSql(
    database,
    `create or replace function ledger.record() returns trigger language plpgsql as $$
     begin
       insert into ledger.mails values (new.id, new.workspace_id, new.address);
       return null;
     end $$`,
  );
  await runSql(
    database,
    "create or replace trigger record after insert on mails for each row execute function ledger.record()",
  );
}

/** Returns the addresses of all mails that were ever queued, by mail ID. */
export async function readLedger(database: Database, workspace: TestWorkspace): Promise<Map<string, string>> {
  const rows = await runSql<{ id: string; address: string }>(
    database,
    "select id, address from ledger.mails where workspace_id = $1",
    [workspace.id],
  );
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/** Returns the addresses of the mails that the log reports with this outcome and reason. */
export function loggedAddresses(log: string, ledger: Map<string, string>, outcome: string, reason = ""): string[] {
  const lines = log.split("\n").filter((line) => line.includes(`"outcome":"${outcome}"`) && line.includes(reason));
  return lines.flatMap((line) => ledger.get(/"mail":"([^"]+)"/.exec(line)?.[1] ?? "") ?? []);
}
