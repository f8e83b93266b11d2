import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { organizationKey } from "../features/tenancy/organization-key.ts";

test("files check lists bytes without rows and rows without bytes, and deletes them only with --delete", async () => {
  const { database, connectionString } = await createTestDatabase();
  const place = { DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };
  const key = organizationKey("workspace", "acme");
  const folder = join(place.DATA_DIR, "files", key);
  await mkdir(folder, { recursive: true });
  for (const name of ["new", "old"]) await writeFile(join(folder, name), "bytes");
  await utimes(join(folder, "old"), 0, 0);
  await runSql(
    database,
    `insert into files (organization_key, id, name, content_type, size, created_at, uploaded_at)
     values ($1, 'missing', 'name', 'text/plain', 7, 1, 1)`,
    [key],
  );
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
