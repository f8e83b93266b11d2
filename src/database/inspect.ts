import { missingMigrations } from "./migrate.ts";
import { type Requirements, selectRequirements } from "./requirements.ts";
import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";
import { milliseconds } from "./time.ts";

export interface DatabaseFacts {
  version: string;
  requirements: Requirements;
  /** Values of PostgreSQL's settings of the same names. */
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  /** Milliseconds by which the database's clock is ahead of this machine's, within half a round trip. */
  clockAheadMs: number;
  /** Names of the missing migrations; undefined if no migration has ever been applied. */
  missingMigrations: string[] | undefined;
}

/** Reads the facts about a database that `doctor` checks. */
export async function inspectDatabase(database: Queryable): Promise<DatabaseFacts> {
  const [facts] = await database.run(
    sql<Omit<DatabaseFacts, "requirements" | "clockAheadMs" | "missingMigrations">>`select
      current_setting('server_version') as version,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit"`,
  );
  if (!facts) throw new Error("PostgreSQL returned no settings");
  return {
    ...facts,
    requirements: await selectRequirements(database),
    clockAheadMs: await compareClocks(database),
    missingMigrations: await findMissing(database),
  };
}

async function compareClocks(database: Queryable): Promise<number> {
  const before = Date.now();
  const [row] = await database.run(sql<{ now: number }>`select ${milliseconds(sql`clock_timestamp()`)} as now`);
  const after = Date.now();
  return Math.round((row?.now ?? after) - (before + after) / 2);
}

async function findMissing(database: Queryable): Promise<string[] | undefined> {
  const [row] = await database.run(sql<{ exists: boolean }>`select to_regclass('migrations') is not null as exists`);
  return row?.exists ? missingMigrations(database) : undefined;
}
