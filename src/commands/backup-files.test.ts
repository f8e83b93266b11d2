import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Environment, emptyFolder, runCommand, runJsonCommand } from "../../test/command-line.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { readConfig } from "../config/config.ts";
import { connectDatabase } from "../database/connect.ts";
import type { OrganizationKey } from "../database/keys.ts";
import { organizationKey } from "../features/tenancy/organization-key.ts";
import { FolderStore } from "../files/folder-store.ts";
import { withCopiedFiles } from "./backup-files.ts";

const SECRET_KEY = "5".repeat(64);
const ACME = organizationKey("workspace", "acme");
const INITECH = organizationKey("workspace", "initech");

async function createPlace(): Promise<Environment & { DATA_DIR: string }> {
  const { connectionString } = await createTestDatabase({ isBare: true });
  return { DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString, SECRET_KEY };
}

async function keepBytes(place: { DATA_DIR: string }, key: OrganizationKey, fileId: string, text: string) {
  const partial = await new FolderStore(join(place.DATA_DIR, "files")).begin();
  await partial.write(Buffer.from(text));
  const { bytes, checksum } = await partial.finish();
  await partial.keep({ organizationKey: key, fileId });
  await partial.discard();
  return { bytes, checksum };
}

/** Adds an uploaded file of an organization. */
async function addFile(
  place: Environment & { DATA_DIR: string },
  key: OrganizationKey,
  fileId: string,
  text = `bytes of ${fileId}`,
): Promise<void> {
  await addRow(place, key, fileId, await keepBytes(place, key, fileId, text));
}

async function addRow(
  place: Environment,
  key: OrganizationKey,
  fileId: string,
  { bytes, checksum }: { bytes: number; checksum: string },
): Promise<void> {
  const { database, close } = await connectDatabase(readConfig(place), silentLog, "command");
  await runSql(
    database,
    `insert into files (organization_key, id, name, content_type, size, checksum, created_at, uploaded_at)
     values ($1, $2, 'name', 'text/plain', $3, $4, 1, 1)`,
    [key, fileId, bytes, checksum],
  ).finally(close);
}

async function createFilled() {
  const place = await createPlace();
  await runJsonCommand(["migrate"], place);
  await addFile(place, ACME, "one");
  await addFile(place, INITECH, "two");
  return place;
}

test("a backup with --files restores the bytes of the files, and verifies them", async () => {
  const from = await createFilled();
  await addFile(from, ACME, "damaged");
  const folder = await emptyFolder();
  await writeFile(join(folder, "escaped"), "escaped");
  const checksum = createHash("sha256").update("escaped").digest("hex");
  await addRow(from, ACME, "../../escaped", { bytes: 7, checksum });
  const [backup, files] = [join(folder, "backup"), join(folder, "files")];
  const { stdout, stderr } = await runCommand(["backup", backup, "--files", files], from);
  expect([stdout, stderr]).toEqual([expect.stringMatching(/ Copied 3 files to \S+files\.\n$/), ""]);
  await writeFile(join(files, ACME, "damaged"), "Bytes of damaged");
  await mkdir(join(files, INITECH), { recursive: true });
  await writeFile(join(files, INITECH, "unknown"), "no row has it");
  const to = await createPlace();
  const restored = await runCommand(["restore", backup, "--files", files], to);
  expect(restored.stderr).toMatch(/^Copied 2 files\.\nMissing or damaged in \S+, and read as not found: 2\.\n$/);
  const stored = join(to.DATA_DIR, "files");
  expect(await readFile(join(stored, ACME, "one"), "utf8")).toBe("bytes of one");
  expect(await readdir(join(stored, ACME))).toEqual(["one"]);
  expect(await readdir(join(stored, INITECH))).toEqual(["two"]);
  expect(await readdir(to.DATA_DIR)).not.toContain("escaped");
});

test("a backup without --files says where the files are", async () => {
  const from = await createFilled();
  const backup = join(await emptyFolder(), "backup");
  expect((await runCommand(["backup", backup], from)).stderr).toMatch(/^Files are not in the backup\. Copy \S+ now/);
});

test("files that are deleted or uploaded during a backup are in its folder", async () => {
  const place = await createFilled();
  const folder = join(await emptyFolder(), "files");
  const { copied } = await withCopiedFiles(readConfig(place), folder, AbortSignal.timeout(60_000), async () => {
    await new FolderStore(join(place.DATA_DIR, "files")).delete({ organizationKey: ACME, fileId: "one" });
    await keepBytes(place, ACME, "three", "uploaded meanwhile");
  });
  expect([copied, (await readdir(join(folder, ACME))).sort()]).toEqual([3, ["one", "three"]]);
});

test("a folder with files is rejected, and a failed backup leaves none", async () => {
  const place = await createFilled();
  const folder = await emptyFolder();
  const { stderr } = await runCommand(["backup", join(folder, "backup"), "--files", place.DATA_DIR], place);
  expect(stderr).toMatch(/^colloquy: \S+ is not empty\. Name a new folder\.\n$/);
  await writeFile(join(folder, "taken"), "");
  const args = ["backup", join(folder, "taken"), "--files", join(folder, "files")];
  expect((await runCommand(args, place)).exitCode).toBe(1);
  expect(await readdir(folder)).toEqual(["taken"]);
});
