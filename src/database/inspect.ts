import type { Queryable } from "./database.ts";
import { missingMigrations } from "./migrate.ts";

export interface DatabaseFacts {
  version: string;
  encoding: string;
  /** What PostgreSQL's settings of these names say. */
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  /** How far the database's clock is ahead of this machine's, give or take half a round trip. */
  clockAheadMs: number;
  /** Undefined where no migration has ever been applied. */
  missingMigrations: string[] | undefined;
}

export async function inspectDatabase(database: Queryable): Promise<DatabaseFacts> {
  const settings = await database.query<Omit<DatabaseFacts, "clockAheadMs" | "missingMigrations">>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
       current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
       current_setting('synchronous_commit') as "synchronousCommit"`,
  );
  const facts = settings.rows[0];
  if (!facts) throw new Error("PostgreSQL did not tell its settings");
  return { ...facts, clockAheadMs: await compareClocks(database), missingMigrations: await findMissing(database) };
}

async function compareClocks(database: Queryable): Promise<number> {
  const before = Date.now();
  const { rows } = await database.query<{ now: number }>(
    "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now",
  );
  const after = Date.now();
  return Math.round((rows[0]?.now ?? after) - (before + after) / 2);
}

async function findMissing(database: Queryable): Promise<string[] | undefined> {
  const { rows } = await database.query<{ exists: boolean }>("select to_regclass('migrations') is not null as exists");
  return rows[0]?.exists ? missingMigrations(database) : undefined;
}
