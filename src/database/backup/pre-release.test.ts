import { open, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, runCommand } from "../../../test/command-line.ts";
import { createTestDatabase, TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { startInProcess } from "../../../test/service-process.ts";
import { adoptManifest, dropColumns, getCurrentTable } from "./pre-release.ts";
import { assertMigrationsKnown } from "./restore.ts";
import { verifyArchive } from "./verify.ts";

/**
 * A backup of the last pre-release version, with the workspace of examples/team-day.ts, every example of an operation,
 * and rows in every table; and what that version returned for requests that read records and settings.
 */
const BACKUP = fileURLToPath(new URL("../../../test/pre-release/backup.colloquy", import.meta.url));
const RESPONSES = fileURLToPath(new URL("../../../test/pre-release/responses.json.gz", import.meta.url));
const SECRET_KEY = "5".repeat(64);
const CREDENTIALS = { workspaceId: "", apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };

/** Tables that are replaced, lose keys of lost requests, or get the entry of the restore. */
const CHANGED_TABLES = new Set(["document_users", "idempotency_keys", "audit_entries"]);

/** Columns about requests in progress, whose rows are not adopted. */
const DROPPED_COLUMNS = ["idempotency_keys.holder", "idempotency_keys.lease_ends_at"];

interface Read {
  path: string;
  data: unknown;
  records: unknown;
}

async function readManifest() {
  const file = await open(BACKUP);
  onTestFinished(() => file.close());
  return verifyArchive(
    file,
    () => {},
    async () => {},
  );
}

test("a backup of the last pre-release version is restored, and every record is returned as before", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  const environment = { DATABASE_URL: connectionString, SECRET_KEY, DATA_DIR: await emptyFolder() };
  expect(await runCommand(["restore", BACKUP], environment)).toMatchObject({ exitCode: 0 });
  for (const { name, rows } of (await readManifest()).tables) {
    if (CHANGED_TABLES.has(name)) continue;
    const counted = await runSql(database, `select count(*)::int as rows from "${getCurrentTable(name)}"`);
    expect({ name, counted }).toEqual({ name, counted: [{ rows }] });
  }
  const { address } = await startInProcess({ DATABASE_URL: connectionString, SECRET_KEY });
  const workspace = new TestWorkspace(address, CREDENTIALS);
  const reads: Read[] = JSON.parse(gunzipSync(await readFile(RESPONSES)).toString());
  expect(reads.length).toBeGreaterThan(50);
  for (const { path, data, records } of reads) {
    const { data: found } = await workspace.uncheckedResult(path, data);
    // Responses may have fields that are newer.
    expect({ path, data, found }).toMatchObject({ path, data, found: records });
  }
});

test("every column of a backup of the last pre-release version has its current name", async () => {
  const { database } = await createTestDatabase();
  const current = await runSql<{ name: string }>(
    database,
    "select table_name || '.' || column_name as name from information_schema.columns",
  );
  const names = new Set(current.map(({ name }) => name));
  const { tables } = adoptManifest(await readManifest(), []);
  const adopted = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  expect(adopted.filter((name) => !names.has(name))).toEqual(DROPPED_COLUMNS);
});

test("a backup of an earlier pre-release version is rejected, with what to do", async () => {
  const manifest = await readManifest();
  const earlier = { ...manifest, migrations: manifest.migrations.slice(0, -1) };
  await expect(assertMigrationsKnown(earlier)).rejects.toThrow("Restore it with the last pre-release version");
});

test("the values of columns that a table does not have anymore are dropped from its rows", () => {
  const table = { name: "t", columns: ["a", "b", "c"], rows: 2, bytes: 0, sha256: "" };
  const rows = Buffer.from("1\té\\t\\n\t\\N\n2\t\\\\\t雪\n");
  expect(Buffer.from(dropColumns(rows, table, ["b"])).toString()).toBe("é\\t\\n\n\\\\\n");
  expect(Buffer.from(dropColumns(rows, table, ["c", "a"])).toString()).toBe("1\t\\N\n2\t雪\n");
});
