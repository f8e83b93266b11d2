import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

const POLL_MS = 20;

/** Returns the name of the database of a connection string. */
export function getDatabaseName(connectionString = ""): string {
  return new URL(connectionString).pathname.slice(1);
}

/** Returns the connection string of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates a database on every server. */
export async function createDatabase(serverUrls: readonly string[], name: string, template: string): Promise<void> {
  const statement = `create database ${name} encoding 'UTF8' template ${template} strategy file_copy`;
  await Promise.all(serverUrls.map((url) => runQuery(url, statement)));
}

/** Closes all connections to a database and drops it on every server. */
export async function dropDatabase(serverUrls: readonly string[], name: string): Promise<void> {
  if (serverUrls.length > 1) await closeDatabase(serverUrls, name);
  // Autovacuum may be working in the database; dropping it cancels that, but no connections of others.
  const condition = `datname = '${name}' and usename = current_user`;
  const drop = async (url: string) => {
    await runQuery(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${condition}`);
    await runQuery(url, `drop database if exists ${name}`);
  };
  await Promise.all(serverUrls.map(drop));
}

/**
 * Ends all connections to a database on the nodes of a Citus cluster, and accepts no new ones. Citus itself would
 * connect again at once.
 */
export async function closeDatabase(nodeUrls: readonly string[], name: string): Promise<void> {
  await Promise.all(nodeUrls.map((url) => runQuery(url, `alter database ${name} allow_connections false`)));
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  for (const url of nodeUrls) while ((await runQuery(url, end)).rowCount) await delay(POLL_MS);
}

export async function runQuery(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}
