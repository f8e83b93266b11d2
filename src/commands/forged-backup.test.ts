import { access, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { emptyFolder, runCommand, runJsonCommand } from "../../test/command-line.ts";
import { fillTables } from "../../test/fill-tables.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { type ArchiveEntry, compress, decompress, packArchive, unpackArchive } from "../database/backup/archive.ts";
import { type Content, ContentDigest, getTable, MANIFEST, type Manifest } from "../database/backup/manifest.ts";

const SECRET_KEY = "5".repeat(64);
const { database, connectionString } = await createTestDatabase();
await fillTables(database, [1, 2, 3]);
const backup = join(await emptyFolder(), "backup");
await runJsonCommand(["backup", backup], { DATABASE_URL: connectionString, SECRET_KEY });

/** Writes the backup with other rows of workspaces and a manifest that fits, signed as given. */
async function forge(rows: (stored: Buffer) => Promise<Buffer>, signature: string | undefined): Promise<string> {
  const handle = await open(backup);
  onTestFinished(() => handle.close());
  const entries: ArchiveEntry[] = [];
  let forged: Content | undefined;
  for await (const { name, data } of unpackArchive(handle, () => {})) {
    if (getTable({ name, data }) === "workspaces") {
      const digest = new ContentDigest();
      const content = await rows(await decompress(data));
      digest.addBytes(content);
      forged = digest.result();
      entries.push({ name, data: await compress(content) });
    } else entries.push({ name, data });
  }
  const manifest: Manifest = JSON.parse(Buffer.from(entries.pop()?.data ?? []).toString());
  const tables = manifest.tables.map((table) =>
    table.name === "workspaces" ? { ...table, ...forged, rows: table.rows } : table,
  );
  entries.push({ name: MANIFEST, data: Buffer.from(JSON.stringify({ ...manifest, tables })) });
  const bytes = Buffer.concat(await Array.fromAsync(packArchive(Readable.from(entries), () => "0".repeat(64))));
  const file = join(await emptyFolder(), "forged");
  const unsigned = bytes
    .toString("latin1")
    .replace(/ hmac .*\n$/, signature === undefined ? "\n" : ` hmac ${signature}\n`);
  await writeFile(file, unsigned, "latin1");
  return file;
}

describe.each([
  ["a wrong signature", "0".repeat(64)],
  ["no signature", undefined],
])("a backup that was changed, with checksums that fit and %s", (_what, signature) => {
  test("is rejected before anything is written", async () => {
    const file = await forge(
      async (stored) => Buffer.from(stored.toString("latin1").replaceAll("\tt\t", "\tf\t"), "latin1"),
      signature,
    );
    const DATA_DIR = join(await emptyFolder(), "data");
    const { stderr, exitCode } = await runCommand(["restore", file], { DATA_DIR, SECRET_KEY });
    expect(stderr).toBe(
      "colloquy: The backup was changed, or not made by the service: SECRET_KEY has not signed it. " +
        "Nothing was restored.\n",
    );
    expect(exitCode).toBe(1);
    await expect(access(DATA_DIR)).rejects.toThrow("ENOENT");
  });
});

test("nothing of a backup that SECRET_KEY has not signed is decompressed", async () => {
  const file = await forge(async () => Buffer.alloc(129 * 1024 * 1024), "0".repeat(64));
  const { stderr } = await runCommand(["restore", file], { DATA_DIR: join(await emptyFolder(), "data"), SECRET_KEY });
  expect(stderr).toContain("SECRET_KEY has not signed it");
});
