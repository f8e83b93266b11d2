import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { borrowEmbeddedDatabase, type EmbeddedConnection } from "../src/database/embedded.ts";

/** An embedded PostgreSQL server in its own temporary directory. */
export interface PostgresServer {
  postmasterPid: number;
  /** Creates the database, replaces an existing one of that name, and returns its connection string. */
  createDatabase(name: string): Promise<string>;
  /** Writes all changed pages to disk, so that measured requests do not share the processor with that. */
  checkpoint(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-bench-"));
  const database = await borrowEmbeddedDatabase({ dataDir, log: pino({ level: "silent" }) });
  const administration = connectionString(database.connection, database.connection.database);
  return {
    // The file's first line is the process ID.
    postmasterPid: Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10),
    async createDatabase(name) {
      await runStatements(administration, `drop database if exists ${name}`);
      await runStatements(administration, `create database ${name}`);
      return connectionString(database.connection, name);
    },
    async checkpoint() {
      // Dropping a database begins with a checkpoint, which the role is not allowed to request directly.
      await runStatements(administration, "create database checkpoint");
      await runStatements(administration, "drop database checkpoint");
    },
    async [Symbol.asyncDispose]() {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs the statements, then vacuums and updates the planner's statistics. */
export async function runAndVacuum(connectionString: string, statements: string): Promise<void> {
  await runStatements(connectionString, statements);
  await runStatements(connectionString, "vacuum analyze");
}

async function runStatements(connectionString: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statements);
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
