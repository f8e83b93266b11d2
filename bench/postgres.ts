import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { borrowEmbeddedDatabase, type EmbeddedConnection } from "../src/database/embedded.ts";
import { parentPid } from "./processor-time.ts";

/** A PostgreSQL server for one side of a comparison. */
export interface PostgresServer {
  postmasterPid: number;
  /** Creates the database, replaces an existing one of that name, and returns its connection string. */
  createDatabase(name: string): Promise<string>;
  /** Writes all changed pages to disk, so that measured requests do not share the processor with that. */
  checkpoint(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts an embedded server in its own temporary directory. */
export async function startPostgres(): Promise<PostgresServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-bench-"));
  const database = await borrowEmbeddedDatabase({ dataDir, log: pino({ level: "silent" }) });
  const administration = connectionString(database.connection, database.connection.database);
  return {
    // The file's first line is the process ID.
    postmasterPid: Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10),
    async createDatabase(name) {
      await replaceDatabase(administration, name);
      return connectionString(database.connection, name);
    },
    checkpoint: () => checkpoint(administration),
    async [Symbol.asyncDispose]() {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Uses a running server on this machine for one side, so that both sides can share it. The role must be allowed to
 * create databases, whose names get the suffix.
 */
export async function shareRunningPostgres(administration: string, suffix: string): Promise<PostgresServer> {
  const statement = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
  const [{ pid }] = (await runStatements(administration, statement)).rows;
  return {
    postmasterPid: parentPid(pid),
    async createDatabase(name) {
      await replaceDatabase(administration, name + suffix);
      const url = new URL(administration);
      url.pathname = name + suffix;
      return url.href;
    },
    checkpoint: () => checkpoint(administration),
    async [Symbol.asyncDispose]() {},
  };
}

/** Runs the statements, then vacuums and updates the planner's statistics. */
export async function runAndVacuum(connectionString: string, statements: string): Promise<void> {
  await runStatements(connectionString, statements);
  await runStatements(connectionString, "vacuum analyze");
}

async function replaceDatabase(administration: string, name: string): Promise<void> {
  await runStatements(administration, `drop database if exists ${name}`);
  await runStatements(administration, `create database ${name}`);
}

async function checkpoint(administration: string): Promise<void> {
  // Dropping a database begins with a checkpoint, which not every role is allowed to request directly.
  await runStatements(administration, "create database checkpoint");
  await runStatements(administration, "drop database checkpoint");
}

async function runStatements(connectionString: string, statements: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}

function connectionString({ host, port, user, password }: EmbeddedConnection, database: string): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`);
  url.username = user;
  if (password) url.password = password;
  url.searchParams.set("host", host);
  return url.href;
}
