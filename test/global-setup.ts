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
    /** A server to make databases on. */
    serverUrl: string;
    /** What the names of all databases of the run begin with. */
    databasePrefix: string;
    /** For the files of the run. */
    runDirectory: string;
    /** A migrated, empty database to clone. */
    templateDatabase: string;
    /** A DATA_DIR whose PostgreSQL has been made and is stopped, to copy. */
    madeDataDir: string;
    /** The browser to test the console in; empty where there is none. */
    chromiumPath: string;
  }
}

/** Starts one PostgreSQL for the whole run (or takes TEST_DATABASE_URL's) and migrates a template once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromiumPath = findChromium() ?? "";
  if (chromiumPath) buildConsole();
  else console.warn(`\n${NO_CHROMIUM_WARNING}\n`);
  const runDirectory = makeRunDirectory();
  const madeDataDir = join(runDirectory, "made");
  await (await borrowEmbeddedDatabase({ dataDir: madeDataDir, log: silentLog })).stop();
  const databasePrefix = `colloquy_test_${process.pid}_`;
  const server = process.env.TEST_DATABASE_URL
    ? externalServer(process.env.TEST_DATABASE_URL, databasePrefix)
    : await startServer(madeDataDir, join(runDirectory, "server"));
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
  project.provide("madeDataDir", madeDataDir);
  project.provide("chromiumPath", chromiumPath);
  return async () => {
    await server.stop();
    await rm(runDirectory, { recursive: true, force: true });
    // Once more, as the last line of a long run.
    if (!chromiumPath) console.warn(`\n${NO_CHROMIUM_WARNING}`);
  };
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

/** Goes on; the run leaves no database there. */
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

async function startServer(madeDataDir: string, dataDir: string): Promise<Server> {
  copyCluster(madeDataDir, dataDir);
  const cluster = await prepareCluster(dataDir);
  // Making and dropping a database waits for the disk, a second and more on a busy one. What durability needs is
  // tested on servers that are started as a service starts its own.
  const { ended } = await launchPostgres(cluster, undefined, { fsync: "off", full_page_writes: "off" });
  while (
    (await readPostmaster(cluster)) === undefined &&
    (await Promise.race([ended, delay(POLL_MS, "runs")])) === "runs"
  );
  const embedded = await startEmbeddedDatabase({ dataDir, log: silentLog });
  return { url: connectionUrl(embedded.connection), stop: () => embedded.stop() };
}

/** Gives `dataDir` a PostgreSQL that is made already: a copy takes a tenth of what initdb takes. */
export function copyCluster(madeDataDir: string, dataDir: string): void {
  const directory = join(dataDir, "postgres");
  // cpSync gives directories the modes of new ones, and PostgreSQL refuses one that others can read.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  cpSync(join(madeDataDir, "postgres"), directory, { recursive: true });
}

/** Returns the connection in the form of DATABASE_URL. */
export function connectionUrl({ host, port, user, password, database }: EmbeddedConnection): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`);
  url.username = user;
  if (password) url.password = password;
  url.searchParams.set("host", host);
  return url.href;
}

/** The same server, another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Ends the connections to it first. With `force` PostgreSQL would refuse while its own autovacuum is in there, which is
 * not ours to end; a plain drop sends it away and waits.
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
