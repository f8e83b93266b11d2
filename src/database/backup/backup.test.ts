import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder } from "../../../test/command-line.ts";
import { readRows } from "../../../test/database-rows.ts";
import { migrateBefore } from "../../../test/earlier-version.ts";
import { addActivities, readActivityIds } from "../../../test/factories.ts";
import { fillTables } from "../../../test/fill-tables.ts";
import { createTestDatabase, startOwnTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { createPrivateFile } from "../../config/private-file.ts";
import { Outbox } from "../../email/outbox.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { type ArchiveEntry, compress, packArchive } from "./archive.ts";
import { readBackup } from "./backup.ts";
import { tableFile } from "./manifest.ts";
import { assertMigrationsKnown, restoreBackup } from "./restore.ts";
import { verifyArchive } from "./verify.ts";

const NO_MAILS = { keep: async () => {}, commit: async () => {}, discard: async () => {} };

async function* nothing(): AsyncGenerator<never> {}

type Mails = AsyncIterable<{ name: string; data: Uint8Array }>;

function getEntries(connectionString: string, mails: Mails = nothing()): AsyncGenerator<ArchiveEntry> {
  return readBackup({
    connection: { connectionString },
    version: "0.0.0",
    hashId: () => "",
    mails,
    onProgress: () => {},
    onManifest: () => {},
  });
}

async function getArchive(entries: AsyncIterable<ArchiveEntry>) {
  const path = join(await emptyFolder(), "backup");
  await createPrivateFile(
    path,
    packArchive(entries, () => "0".repeat(64)),
    new AbortController().signal,
  );
  const file = await open(path);
  onTestFinished(() => file.close());
  return {
    file,
    manifest: await verifyArchive(
      file,
      () => {},
      async () => {},
    ),
  };
}

async function restore(connectionString: string, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  await restoreBackup({
    ...(await getArchive(entries)),
    connection: { connectionString },
    onRead: () => {},
    mails: NO_MAILS,
    complete: async () => {},
  });
}

test("a backup has all rows of one moment, whatever is written while it runs", async () => {
  const service = await startOwnTestService();
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  // The requests, and the last use of the token, are recorded later.
  const excludedTables = ["migrations", "request_log", "auth_tokens"];
  const before = await readRows(service.database, { excludedTables });
  async function* interrupted(): AsyncGenerator<ArchiveEntry> {
    let isFirst = true;
    for await (const entry of getEntries(String(service.config.databaseUrl))) {
      if (isFirst) await addActivities(workspace, ["meanwhile"], { documentId: "new" });
      isFirst = false;
      yield entry;
    }
  }
  const target = await createTestDatabase({ isBare: true });
  await restore(target.connectionString, interrupted());
  expect(await readRows(target.database, { excludedTables })).toEqual(before);
  expect(await readActivityIds(workspace)).toEqual(["before", "meanwhile"]);
});

test("a restore skips the numbers of tokens that were issued after the backup", async () => {
  const [source, target] = [await createTestDatabase(), await createTestDatabase({ isBare: true })];
  const takeNumber = async (database: Database) => {
    const [row] = await runSql<{ number: number }>(database, "select nextval('user_token_sequence') as number");
    return Number(row?.number);
  };
  async function* interrupted(): AsyncGenerator<ArchiveEntry> {
    yield* getEntries(source.connectionString);
    await runSql(source.database, "select nextval('user_token_sequence') from generate_series(1, 1000)");
  }
  await takeNumber(source.database);
  await restore(target.connectionString, interrupted());
  expect(await takeNumber(target.database)).toBeGreaterThan(await takeNumber(source.database));
});

test("a backup of an earlier version is restored as an upgrade would leave it", async () => {
  const source = await createTestDatabase({ isBare: true });
  await migrateBefore(source.connectionString, "0010_events.sql");
  await fillTables(source.database, [1, 2, 3]);
  const target = await createTestDatabase({ isBare: true });
  await restore(target.connectionString, getEntries(source.connectionString));
  await migrate({ connectionString: source.connectionString });
  const expected = await readRows(source.database, { excludedTables: ["migrations"] });
  expect(expected.length).toBeGreaterThan(50);
  expect(await readRows(target.database, { excludedTables: ["migrations"] })).toEqual(expected);
});

test("a backup with former names of tables, columns and values is restored under their current names", async () => {
  const source = await createTestDatabase();
  await fillTables(source.database, [1, 2, 3]);
  const change = (statements: string[]) =>
    source.database.transaction(async (transaction) => {
      for (const statement of statements) await runSql(transaction, statement);
    });
  await change([
    "update user_data_deletions set stage = 'purging'",
    "update user_data_receipts set kind = 'delayedNotifications'",
    "update webhook_messages set status = 'canceled'",
  ]);
  const expected = await readRows(source.database, { excludedTables: ["migrations"] });
  await change([
    "update user_data_deletions set stage = 'erasing'",
    "update user_data_receipts set kind = 'heldNotifications'",
    "update webhook_messages set status = 'withdrawn'",
    "alter table document_purges rename deleted_at to erased_at",
    "alter table document_purges rename to document_erasures",
    "alter table delayed_notifications rename delayed_at to held_at",
    "alter table delayed_notifications rename to held_notifications",
    "alter table idempotency_keys rename response to answer",
  ]);
  const target = await createTestDatabase({ isBare: true });
  await restore(target.connectionString, getEntries(source.connectionString));
  expect(await readRows(target.database, { excludedTables: ["migrations"] })).toEqual(expected);
});

test("a backup of a later version is rejected", async () => {
  const source = await createTestDatabase();
  const { manifest } = await getArchive(getEntries(source.connectionString));
  const later = { ...manifest, migrations: [...manifest.migrations, "9999_later.sql"] };
  await expect(assertMigrationsKnown(later)).rejects.toThrow("is of a newer version, Colloquy 0.0.0");
});

test("a restore that fails at its end leaves a database without tables", async () => {
  const source = await createTestDatabase({ isBare: true });
  await migrateBefore(source.connectionString, "0010_events.sql");
  await fillTables(source.database, [1]);
  const target = await createTestDatabase({ isBare: true });
  const options = {
    ...(await getArchive(getEntries(source.connectionString))),
    connection: { connectionString: target.connectionString },
    onRead: () => {},
    mails: NO_MAILS,
    complete: () => Promise.reject(new Error("failed at its end")),
  };
  await expect(restoreBackup(options)).rejects.toThrow("failed at its end");
  expect(await readRows(target.database, { excludedTables: [] })).toEqual([]);
});

test("a restore that fails at its end leaves no mail, and one that succeeds leaves all", async () => {
  const source = await createTestDatabase();
  async function* mails() {
    yield { name: "1.eml", data: Buffer.from("Subject: hello") };
  }
  const archive = await getArchive(getEntries(source.connectionString, mails()));
  const target = await createTestDatabase({ isBare: true });
  const folder = await emptyFolder();
  const seen: string[][] = [];
  const restoreWith = (complete: () => Promise<void>) =>
    restoreBackup({
      ...{ ...archive, connection: { connectionString: target.connectionString }, onRead: () => {} },
      mails: new Outbox(join(folder, "outbox")).restore(),
      async complete() {
        seen.push(await readdir(folder));
        await complete();
      },
    });
  const failed = restoreWith(() => Promise.reject(new Error("failed at its end")));
  await expect(failed).rejects.toThrow("failed at its end");
  expect(await readdir(folder)).toEqual([]);
  await restoreWith(async () => {});
  expect(seen).toEqual([["outbox.restoring"], ["outbox.restoring"]]);
  expect(await readdir(folder)).toEqual(["outbox"]);
  expect(await readdir(join(folder, "outbox"))).toEqual(["1.eml"]);
});

test("a file that expands to more than any part of a backup is rejected before it takes memory", async () => {
  const source = await createTestDatabase();
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield { name: tableFile("users", 1), data: await compress(Buffer.alloc(129 * 1024 * 1024)) };
    yield* getEntries(source.connectionString);
  }
  await expect(getArchive(entries())).rejects.toThrow(/^A file in it cannot be decompressed, or is too large\.$/);
});
