import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import type { Database } from "../database/database.ts";
import type { OrganizationKey } from "../database/keys.ts";
import { organizationKey } from "../features/tenancy/organization-key.ts";

/** Adds an uploaded file without bytes. */
function addRow(database: Database, key: OrganizationKey) {
  return runSql(
    database,
    `insert into files (organization_key, id, name, content_type, size, created_at, uploaded_at)
     values ($1, 'missing', 'name', 'text/plain', 7, 1, 1)`,
    [key],
  );
}

test("files check lists bytes without rows and rows without bytes, and deletes them only with --delete", async () => {
  const { database, connectionString } = await createTestDatabase();
  const place = { DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };
  const key = organizationKey("workspace", "acme");
  const folder = join(place.DATA_DIR, "files", key);
  await mkdir(folder, { recursive: true });
  for (const name of ["new", "old"]) await writeFile(join(folder, name), "bytes");
  await utimes(join(folder, "old"), 0, 0);
  await addRow(database, key);
  const readUnremoved = () => runSql(database, "select id from files where removed_at is null", []);
  const lines = [`bytes without a row: ${key}/old, 5 bytes`, `row without bytes: ${key}/missing, 7 bytes`];
  const listed = [...lines, "Bytes without a row: 1. Rows without bytes: 1."].join("\n");
  const { stdout } = await runCommand(["files", "check"], place);
  expect([stdout, (await readdir(folder)).sort()]).toEqual([`${listed} Nothing was deleted.\n`, ["new", "old"]]);
  expect(await readUnremoved()).toHaveLength(1);
  const deleted = await runCommand(["files", "check", "--delete"], place);
  expect([deleted.stdout, await readdir(folder)]).toEqual([`${listed} All were deleted.\n`, ["new"]]);
  expect(await readUnremoved()).toHaveLength(0);
});

test("files check --delete deletes nothing if the database or the store has no files", async () => {
  const { database, connectionString } = await createTestDatabase();
  const place = { DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };
  const key = organizationKey("workspace", "acme");
  const path = join(place.DATA_DIR, "files", key, "old");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "bytes");
  await utimes(path, 0, 0);
  const run = async (folder = place.DATA_DIR) => {
    const { stderr } = await runCommand(["files", "check", "--delete"], { ...place, DATA_DIR: folder });
    return stderr;
  };
  expect(await run()).toBe("colloquy: The database has no files. Check DATABASE_URL. Nothing was deleted.\n");
  expect(await readdir(dirname(path))).toEqual(["old"]);
  await addRow(database, key);
  expect(await run(await emptyFolder())).toMatch("The store has no files. Check FILES_URL and DATA_DIR.");
  expect(await runSql(database, "select id from files where removed_at is null", [])).toHaveLength(1);
});
