import { cpSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../src/database/database.ts";
import { borrowEmbeddedDatabase, type EmbeddedConnection, startEmbeddedDatabase } from "../src/database/embedded.ts";
import { prepareCluster } from "../src/database/embedded-files.ts";
import { launchPostgres, readPostmaster } from "../src/database/embedded-process.ts";
import { migrate } from "../src/database/migrate.ts";
import { migrateJobs } from "../src/jobs/jobs.ts";
import { joinNodes } from "./citus.ts";
import { buildConsole } from "./console/build.ts";
import { findChromium, NO_CHROMIUM_WARNING } from "./console/chromium.ts";
import { makeRunDirectory } from "./run-directory.ts";
import { closeDatabase, createDatabase, databaseUrl, dropDatabase, runQuery } from "./servers.ts";

const POLL_MS = 20;
const silentLog = pino({ level: "silent" });

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of the PostgreSQL server of this run, or those of a Citus cluster, coordinator first. */
    serverUrls: string[];
    /** Prefix of the names of all databases of this run. */
    databasePrefix: string;
    /** Directory of all files of this run. */
    runDirectory: string;
    /** Name of a migrated, empty database to clone. */
    templateDatabase: string;
    /** Name of a database without tables to clone. On Citus, it has the extension and knows the nodes. */
    bareTemplateDatabase: string;
    /** DATA_DIR to copy, with an initialized PostgreSQL cluster that is stopped. */
    preparedDataDir: string;
    /** Path of the browser for the console tests; empty if there is none. */
    chromiumPath: string;
  }
}

/**
 * Starts one PostgreSQL server for the run, or uses that of TEST_DATABASE_URL, or the Citus cluster of TEST_CITUS_URL:
 * the URLs of its nodes, separated by commas, coordinator first. Migrates a template database once.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_CITUS_URL, TEST_DATABASE_URL } = process.env;
  const chromiumPath = findChromium() ?? "";
  if (chromiumPath) buildConsole();
  else console.warn(`\n${NO_CHROMIUM_WARNING}\n`);
  const runDirectory = makeRunDirectory();
  const preparedDataDir = join(runDirectory, "prepared");
  await (await borrowEmbeddedDatabase({ dataDir: preparedDataDir, log: silentLog })).stop();
  const databasePrefix = `colloquy_test_${process.pid}_`;
  const externalUrls = (TEST_CITUS_URL ?? TEST_DATABASE_URL)?.split(",");
  const server = externalUrls
    ? externalServer(externalUrls, databasePrefix)
    : await startServer(preparedDataDir, join(runDirectory, "server"));
  const templates = await createTemplates(server.urls, databasePrefix, TEST_CITUS_URL !== undefined);
  project.provide("serverUrls", server.urls);
  project.provide("databasePrefix", databasePrefix);
  project.provide("runDirectory", runDirectory);
  project.provide("templateDatabase", templates.migrated);
  project.provide("bareTemplateDatabase", templates.bare);
  project.provide("preparedDataDir", preparedDataDir);
  project.provide("chromiumPath", chromiumPath);
  return async () => {
    await server.stop();
    await rm(runDirectory, { recursive: true, force: true });
    // The warning at the start of a long run is easily missed.
    if (!chromiumPath) console.warn(`\n${NO_CHROMIUM_WARNING}`);
  };
}

/** Creates the databases that tests clone. */
async function createTemplates(
  serverUrls: string[],
  prefix: string,
  isCitus: boolean,
): Promise<{ bare: string; migrated: string }> {
  const names = { bare: isCitus ? `${prefix}bare` : "template0", migrated: `${prefix}template` };
  if (isCitus) {
    await createDatabase(serverUrls, names.bare, "template0");
    await joinNodes(serverUrls, names.bare);
    await closeDatabase(serverUrls, names.bare);
  }
  await createDatabase(serverUrls, names.migrated, names.bare);
  const connection = { connectionString: databaseUrl(serverUrls[0] ?? "", names.migrated) };
  await migrate(connection);
  const database = openDatabase({ connection, poolMax: 1, log: silentLog });
  await migrateJobs(database).finally(() => database.close());
  if (isCitus) await closeDatabase(serverUrls, names.migrated);
  return names;
}

interface Server {
  urls: string[];
  stop(): Promise<void>;
}

/** Returns a server that keeps running. At the end of the run, only the databases of the run are dropped. */
function externalServer(urls: string[], databasePrefix: string): Server {
  return {
    urls,
    async stop() {
      const { rows } = await runQuery(
        urls[0] ?? "",
        `select datname from pg_database where starts_with(datname, '${databasePrefix}')`,
      );
      for (const { datname } of rows) await dropDatabase(urls, datname);
    },
  };
}

async function startServer(preparedDataDir: string, dataDir: string): Promise<Server> {
  copyCluster(preparedDataDir, dataDir);
  const cluster = await prepareCluster(dataDir);
  // Databases are created up to a second faster without fsync. Tests of durability start their own servers.
  const { ended } = await launchPostgres(cluster, undefined, { fsync: "off", full_page_writes: "off" });
  while (
    (await readPostmaster(cluster)) === undefined &&
    (await Promise.race([ended, delay(POLL_MS, "runs")])) === "runs"
  );
  const embedded = await startEmbeddedDatabase({ dataDir, log: silentLog });
  return { urls: [connectionUrl(embedded.connection)], stop: () => embedded.stop() };
}

/** Copies an initialized PostgreSQL cluster into `dataDir`, in a tenth of the time that initdb takes. */
export function copyCluster(preparedDataDir: string, dataDir: string): void {
  const directory = join(dataDir, "postgres");
  // cpSync does not keep modes, and PostgreSQL rejects a directory that others can read.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  cpSync(join(preparedDataDir, "postgres"), directory, { recursive: true });
}

/** Returns the connection in the form of DATABASE_URL. */
export function connectionUrl({ host, port, user, password, database }: EmbeddedConnection): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`);
  url.username = user;
  if (password) url.password = password;
  url.searchParams.set("host", host);
  return url.href;
}
