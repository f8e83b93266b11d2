import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { getProgramFile } from "../config/program-files.ts";
import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

const FOLDER = getProgramFile("database/migrations/");

/** A migration of this version. */
export interface MigrationFile {
  name: string;
  text: string;
  /** SHA-256 of the text in hexadecimal digits. */
  checksum: string;
}

/** A migration that the table `migrations` names. */
interface AppliedMigration {
  name: string;
  checksum: string;
}

/** Creates the table in which applied migrations are recorded. */
export const CREATE_MIGRATIONS = `create table if not exists migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

const PRE_RELEASE =
  "The database is of a pre-release version of Colloquy, which this version cannot upgrade. " +
  "Run `colloquy backup` with that version, and `colloquy restore` with this one into an empty database.";

/** Returns the names of this version's migrations, in the order of their numbers. */
export async function knownMigrations(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

/** Returns this version's migrations, in the order of their numbers. */
export async function readMigrations(folder = FOLDER): Promise<MigrationFile[]> {
  const names = await knownMigrations(folder);
  return Promise.all(names.map((name) => readMigration(new URL(name, folder), name)));
}

/** Reads a file with the line ends of the repository, which git may have changed on Windows. */
async function readMigration(url: URL, name: string): Promise<MigrationFile> {
  const text = (await readFile(url, "utf8")).replaceAll("\r\n", "\n");
  return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
}

/**
 * Returns the applied migrations, in the order of their numbers: none if the database has no tables. Throws an error if
 * a pre-release version has made them.
 */
export async function selectApplied(database: Queryable): Promise<AppliedMigration[]> {
  const columns = await database.run(
    sql<{ name: string }>`select attname::text as name from pg_attribute
      where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`,
  );
  if (columns.length === 0) return [];
  if (!columns.some(({ name }) => name === "checksum")) throw new Error(PRE_RELEASE);
  return database.run(sql<AppliedMigration>`select name, checksum from migrations order by name collate "C"`);
}

/**
 * Returns the migrations that are not applied; a newer database lacks none. Throws an error if one was changed after it
 * was applied.
 */
export function findMissing(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): readonly MigrationFile[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const changed = files.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed === undefined) return files.filter(({ name }) => !checksums.has(name));
  throw new Error(
    `The migration ${changed.name} was changed after it had been applied to this database. ` +
      "Restore the file, and make the change in a new migration.",
  );
}
