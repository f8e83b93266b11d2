import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import packageJson from "../../package.json" with { type: "json" };
import { getProgramFile } from "../config/program-files.ts";
import type { UnmetRequirement } from "./requirements.ts";
import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

const FOLDER = getProgramFile("database/migrations/");

/** First line of a migration whose schema versions before the named one cannot run on. */
const OLDEST_VERSION = /^-- Oldest version: (\d+\.\d+\.\d+)\.\n/;

/** A migration of this version. */
export interface MigrationFile {
  name: string;
  text: string;
  /** SHA-256 of the text in hexadecimal digits. */
  checksum: string;
  /** Version that the schema needs after this migration, or a later one; null if any version can run on it. */
  oldestVersion: string | null;
}

/** A migration that the table `migrations` names. */
type AppliedMigration = Omit<MigrationFile, "text">;

/** Creates the table in which applied migrations are recorded. */
export const CREATE_MIGRATIONS = `create table if not exists migrations (
  name text primary key,
  checksum text not null,
  oldest_version text,
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
  const oldestVersion = OLDEST_VERSION.exec(text)?.[1] ?? null;
  return { name, text, checksum: createHash("sha256").update(text).digest("hex"), oldestVersion };
}

/**
 * Returns the applied migrations, in the order of their numbers: none if the database has no tables. Throws an error if
 * a pre-release version has made them, or if they need a later version.
 */
export async function selectApplied(database: Queryable): Promise<AppliedMigration[]> {
  const columns = await database.run(
    sql<{ name: string }>`select attname::text as name from pg_attribute
      where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`,
  );
  if (columns.length === 0) return [];
  if (!columns.some(({ name }) => name === "oldest_version")) throw new Error(PRE_RELEASE);
  const applied = await database.run(
    sql<AppliedMigration>`select name, checksum, oldest_version as "oldestVersion" from migrations
      order by name collate "C"`,
  );
  const outdated = getOutdated(applied);
  if (outdated) throw new Error(`${outdated.finding} ${outdated.remedy}`);
  return applied;
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

/** Orders versions. A prerelease counts as later than its release, whose schema it may have. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/** Returns what is wrong if the applied migrations need a later version than this one. */
function getOutdated(applied: readonly Pick<AppliedMigration, "oldestVersion">[]): UnmetRequirement | undefined {
  const needed = [packageJson.version, ...applied.flatMap(({ oldestVersion }) => oldestVersion ?? [])]
    .sort(compareVersions)
    .at(-1);
  if (needed === packageJson.version) return undefined;
  return {
    finding: `The database needs Colloquy ${needed} or later, and this is Colloquy ${packageJson.version}.`,
    remedy: "Install that version, or restore a backup from before the upgrade into an empty database.",
  };
}

/** How the schema of a database differs from that of this version. */
export interface SchemaState {
  /** Names of the migrations that the database lacks; a newer database lacks none. */
  missing: string[];
  /** Whether a later version has applied migrations. */
  isNewer: boolean;
  /** What is wrong if the database needs a later version. */
  outdated: UnmetRequirement | undefined;
}

/** Compares the schema of a database that has been migrated before. */
export async function readSchemaState(database: Queryable): Promise<SchemaState> {
  const applied = await database.run(
    sql<Pick<AppliedMigration, "name" | "oldestVersion">>`select name, oldest_version as "oldestVersion"
      from migrations`,
  );
  const known = await knownMigrations();
  const names = new Set(applied.map(({ name }) => name));
  return {
    missing: known.filter((name) => !names.has(name)),
    isNewer: names.difference(new Set(known)).size > 0,
    outdated: getOutdated(applied),
  };
}
