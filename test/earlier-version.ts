import { cp, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { migrate } from "../src/database/migrate.ts";
import { knownMigrations } from "../src/database/migration-files.ts";

const FOLDER = new URL("../src/database/migrations/", import.meta.url);

/** Applies the migrations before the named one, as an earlier version has done. */
export async function migrateBefore(connectionString: string, migration: string): Promise<void> {
  await migrate({ connectionString }, { folder: await getFolder((name) => name < migration) });
}

/** Returns a folder of this version's migrations and another one, as a later version has. */
export async function folderWith(name: string, statements: string): Promise<URL> {
  const folder = await getFolder(() => true);
  await writeFile(new URL(name, folder), statements);
  return folder;
}

async function getFolder(condition: (name: string) => boolean): Promise<URL> {
  const folder = pathToFileURL(`${await mkdtemp(join(inject("runDirectory"), "migrations-"))}/`);
  for (const name of (await knownMigrations()).filter(condition))
    await cp(new URL(name, FOLDER), new URL(name, folder));
  return folder;
}

/** Upgrades a database as version 9.0.0 does, whose data earlier versions cannot read. */
export async function upgradeToNine(connectionString: string | undefined): Promise<void> {
  const folder = await folderWith("9999_nine.sql", "-- Oldest version: 9.0.0.\n");
  await migrate({ connectionString }, { folder });
}

/** What versions before 9.0.0 say about such a database. */
export const NEEDS_NINE =
  `The database needs Colloquy 9.0.0 or later, and this is Colloquy ${packageJson.version}. ` +
  "Install that version, or restore a backup from before the upgrade into an empty database.";
