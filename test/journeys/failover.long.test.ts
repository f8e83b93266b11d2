import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, runCommand } from "../command-line.ts";
import { eventually } from "../eventually.ts";
import { activity, addActivities, readActivities, readActivityIds, SCOPE } from "../factories.ts";
import { TestWorkspace } from "../harness.ts";
import { isPostgresInstalled, type ReplicatedServer, startReplicatedServers } from "../replicated-servers.ts";
import { runQuery } from "../servers.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { getWorkers } from "../worker-processes.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const SECRETS = {
  SECRET_KEY: "5".repeat(64),
  BOOTSTRAP_API_KEY: CREDENTIALS.apiKey,
  BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken,
};
const WRITERS = 8;
/** Writes that must succeed before and after a failover. */
const WRITES = 100;
/** Twice the time that the service needs after a promotion, because the machine may be busy. */
const RECOVERY_LIMIT_MS = 10_000;
/** The same for a primary that closes no connection, which takes up to 7 s to notice. */
const SILENCE_LIMIT_MS = 20_000;
const FAILOVER_TEST = { timeout: 300_000 };

/** Names the standby first, so that the service has to look for the primary. */
function getDatabaseUrl({ primary, standby }: Record<"primary" | "standby", ReplicatedServer>): string {
  return `postgresql://postgres@${standby.address},${primary.address}/colloquy?target_session_attrs=read-write`;
}

async function startOn(databaseUrl: string, processes = "1") {
  const service = new ServiceProcess({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: await temporaryDataDir(), PROCESSES: processes },
    ...SECRETS,
  });
  const address = await service.address();
  return { service, address, workspace: new TestWorkspace(address, { workspaceId: "", ...CREDENTIALS }) };
}

/** Adds activities without IDs, each with a key, which is repeated until it succeeds. */
class Writers {
  readonly acknowledged = new Set<string>();
  readonly failures = new Set<string>();
  #isStopped = false;
  readonly #running: Promise<unknown>;

  constructor(workspace: TestWorkspace) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.#write(workspace, writer)));
    onTestFinished(() => this.stop());
  }

  async #write(workspace: TestWorkspace, writer: number): Promise<void> {
    for (let index = 0; !this.#isStopped; index++) {
      const key = `${writer}-${index}`;
      const request = { ...SCOPE, activities: [activity({ entityData: key })] };
      while (!this.#isStopped && !this.acknowledged.has(key)) {
        const adding = workspace.call("/v2/activities/add", request, { "idempotency-key": key });
        // A killed worker closes its connections.
        const { httpStatus, body } = await adding.catch((error) => ({ httpStatus: error.code, body: undefined }));
        if (httpStatus === 200) this.acknowledged.add(key);
        else this.failures.add(`${httpStatus} ${Object(body).error?.details?.reason}`);
      }
    }
  }

  /** Resolves when `count` further writes have succeeded. */
  async untilAcknowledged(count: number): Promise<void> {
    const wanted = this.acknowledged.size + count;
    await eventually(() => expect(this.acknowledged.size).toBeGreaterThan(wanted));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

test.runIf(isPostgresInstalled)(
  "a promoted standby is written within seconds after its primary was killed, nothing acknowledged is lost or doubled",
  FAILOVER_TEST,
  async () => {
    const servers = await startReplicatedServers();
    const databaseUrl = getDatabaseUrl(servers);
    const { workspace, address, service } = await startOn(databaseUrl, "2");
    const writers = new Writers(workspace);
    await writers.untilAcknowledged(WRITES);
    await servers.primary.kill();
    await eventually(async () => {
      const readiness = await fetch(`${address}/readyz`);
      expect(await readiness.json()).toMatchObject({ error: { details: { writing: "database_unavailable" } } });
    });
    const before = writers.acknowledged.size;
    await servers.standby.promote();
    const promotedAt = performance.now();
    await eventually(() => expect(writers.acknowledged.size).toBeGreaterThan(before));
    expect(performance.now() - promotedAt).toBeLessThan(RECOVERY_LIMIT_MS);
    await writers.untilAcknowledged(WRITES);
    await writers.stop();
    const stored = (await readActivities(workspace, { pageSize: 1000 })).map(({ entityData }) => String(entityData));
    expect(new Set(stored).size).toBe(stored.length);
    expect([...writers.acknowledged].filter((key) => !stored.includes(key))).toEqual([]);
    expect([...writers.failures]).toEqual(["503 database_unavailable"]);
    await eventually(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200));
    expect(service.stdout).toContain(`${servers.standby.address} is the primary of the database now`);
    const environment = { DATABASE_URL: databaseUrl, ...SECRETS, DATA_DIR: await emptyFolder() };
    const { stdout, exitCode } = await runCommand(["doctor"], environment);
    expect(stdout).toContain(`${servers.standby.address} is the primary; ${servers.primary.address} does not respond`);
    expect(exitCode).toBe(0);
    const file = join(environment.DATA_DIR, "backup.colloquy");
    expect(await runCommand(["backup", file], environment)).toMatchObject({ exitCode: 0 });
  },
);

test.runIf(isPostgresInstalled)(
  "a primary that falls silent is left for the promoted standby, and a worker that is replaced finds that too",
  FAILOVER_TEST,
  async () => {
    const servers = await startReplicatedServers();
    const { workspace, service } = await startOn(getDatabaseUrl(servers), "2");
    const writers = new Writers(workspace);
    await writers.untilAcknowledged(WRITES);
    await servers.primary.freeze();
    await servers.standby.promote();
    const promotedAt = performance.now();
    await writers.untilAcknowledged(WRITES);
    expect(performance.now() - promotedAt).toBeLessThan(SILENCE_LIMIT_MS);
    const [worker = 0] = await getWorkers(service);
    process.kill(worker, "SIGKILL");
    await service.waitForOutput(/"msg":"a worker has replaced one that ended"/);
    await writers.untilAcknowledged(WRITES);
    await writers.stop();
    const stored = (await readActivities(workspace, { pageSize: 1000 })).map(({ entityData }) => String(entityData));
    expect(new Set(stored).size).toBe(stored.length);
    expect([...writers.acknowledged].filter((key) => !stored.includes(key))).toEqual([]);
  },
);

test.runIf(isPostgresInstalled)(
  "the service leaves a primary that still runs when its standby is promoted, and doctor names both",
  FAILOVER_TEST,
  async () => {
    const servers = await startReplicatedServers();
    const databaseUrl = getDatabaseUrl(servers);
    const { workspace } = await startOn(databaseUrl);
    await addActivities(workspace, ["before"]);
    await servers.standby.promote();
    // A commit that waits for the standby does not notice that its client has closed the connection.
    const connected =
      "select from pg_stat_activity where application_name like 'colloquy%' and wait_event is distinct from 'SyncRep'";
    await eventually(async () => expect((await runQuery(servers.primary.url, connected)).rowCount).toBe(0));
    await eventually(() => addActivities(workspace, ["after"]));
    expect(await readActivityIds(workspace)).toEqual(["before", "after"]);
    const count = "select count(*)::int as count from activities";
    expect((await runQuery(servers.standby.url, count)).rows).toEqual([{ count: 2 }]);
    const environment = { DATABASE_URL: databaseUrl, ...SECRETS, DATA_DIR: await emptyFolder() };
    const { stdout, exitCode } = await runCommand(["doctor"], environment);
    expect(stdout).toContain(`${servers.standby.address} is the primary; ${servers.primary.address} is the primary`);
    expect(stdout).toContain("Stop the former primary at once");
    expect(exitCode).toBe(1);
  },
);
