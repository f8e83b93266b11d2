import { cpSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import pino from "pino";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../src/database/database.ts";
import { borrowEmbeddedDatabase, type EmbeddedConnection, startEmbeddedDatabase } from "../src/database/embedded.ts";
import { prepareCluster } from "../src/database/embedded-files.ts";
import { launchPostgres, readPostmaster } from "../src/database/embedded-process.ts";
import { migrate } from "../src/database/migrate.ts";
import { migrateJobs } from "../src/jobs/jobs.ts";
import { buildConsole } from "./console/build.ts";
import { findChromium, NO_CHROMIUM_WARNING } from "./console/chromium.ts";
import { makeRunDirectory } from "./run-directory.ts";

const POLL_MS = 20;
const silentLog = pino({ level: "silent" });

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of the PostgreSQL server of this run. */
    serverUrl: string;
    /** Prefix of the names of all databases of this run. */
    databasePrefix: string;
    /** Directory of all files of this run. */
    runDirectory: string;
    /** Name of a migrated, empty database to clone. */
    templateDatabase: string;
    /** DATA_DIR to copy, with an initialized PostgreSQL cluster that is stopped. */
    preparedDataDir: string;
    /** Path of the browser for the console tests; empty if there is none. */
    chromiumPath: string;
  }
}

/** Starts one PostgreSQL server for the run, or uses TEST_DATABASE_URL, and migrates a template database once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromiumPath = findChromium() ?? "";
  if (chromiumPath) buildConsole();
  else console.warn(`\n${NO_CHROMIUM_WARNING}\n`);
  const runDirectory = makeRunDirectory();
  const preparedDataDir = join(runDirectory, "prepared");
  await (await borrowEmbeddedDatabase({ dataDir: preparedDataDir, log: silentLog })).stop();
  const databasePrefix = `colloquy_test_${process.pid}_`;
  const server = process.env.TEST_DATABASE_URL
    ? externalServer(process.env.TEST_DATABASE_URL, databasePrefix)
    : await startServer(preparedDataDir, join(runDirectory, "server"));
  const template = `${databasePrefix}template`;
  await runQuery(server.url, `create database ${template} encoding 'UTF8' template template0`);
  const connection = { connectionString: databaseUrl(server.url, template) };
  await migrate(connection);
  const database = openDatabase({ connection, poolMax: 1, log: silentLog });
  await migrateJobs(database).finally(() => database.close());
  project.provide("serverUrl", server.url);
  project.provide("databasePrefix", databasePrefix);
  project.provide("runDirectory", runDirectory);
  project.provide("templateDatabase", template);
  project.provide("preparedDataDir", preparedDataDir);
  project.provide("chromiumPath", chromiumPath);
  return async () => {
    await server.stop();
    await rm(runDirectory, { recursive: true, force: true });
    // The warning at the start of a long run is easily missed.
    if (!chromiumPath) console.warn(`\n${NO_CHROMIUM_WARNING}`);
  };
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

/** Returns a server that keeps running. At the end of the run, only the databases of the run are dropped. */
function externalServer(url: string, databasePrefix: string): Server {
  return {
    url,
    async stop() {
      const { rows } = await runQuery(
        url,
        `select datname from pg_database where starts_with(datname, '${databasePrefix}')`,
      );
      for (const { datname } of rows) await dropDatabase(url, datname);
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
  return { url: connectionUrl(embedded.connection), stop: () => embedded.stop() };
}

/** Copies an initialized PostgreSQL cluster into `dataDir`, in a tenth of the time that initdb takes. */
export function copyCluster(preparedDataDir: string, dataDir: string): void {
  const directory = join(dataDir, "postgres");
  // cpSync does not keep modes, and PostgreSQL refuses a directory that others can read.
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

/** Returns the connection string of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Closes all connections to a database and drops it. `drop database … with (force)` would fail while autovacuum is
 * working in it; a plain drop cancels autovacuum.
 */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await runQuery(
    serverUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
  );
  await runQuery(serverUrl, `drop database ${name}`);
}

export async function runQuery(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}
