import { type FileHandle, open } from "node:fs/promises";
import type { Command } from "commander";
import { type Config, readConfig } from "../config/config.ts";
import { isMissing, storeTemporarily } from "../config/private-file.ts";
import { hasSecretKey } from "../config/secret-key.ts";
import { DamagedArchive, type Seal, signedText } from "../database/backup/archive.ts";
import type { Manifest } from "../database/backup/manifest.ts";
import { isPreRelease } from "../database/backup/pre-release.ts";
import { assertMigrationsKnown, restoreBackup } from "../database/backup/restore.ts";
import { READS, verifyArchive } from "../database/backup/verify.ts";
import { replaceKey } from "../database/secret-key-fingerprint.ts";
import { restartEventLogs } from "../features/event-log/event-log-queries.ts";
import { type NewestTime, selectTimeAhead } from "../features/purge/newest-time-queries.ts";
import { acrossOrganizations } from "../features/tenancy/organization-scope.ts";
import { recordRestore } from "../features/workspaces/workspaces.ts";
import { requeueJobs } from "../service/jobs.ts";
import { readKeys } from "../service/keys.ts";
import { openOutbox } from "../service/mailer.ts";
import { countSecrets } from "../service/stored-secrets.ts";
import { JSON_OPTION, parsePath } from "./arguments.ts";
import { describeContents } from "./backup-contents.ts";
import { restoreFiles } from "./backup-files.ts";
import { clockBehind } from "./clock-behind.ts";
import { print, printJson } from "./output.ts";
import { Progress } from "./progress.ts";
import { REMEDY_OF_LOST_KEY, unreadableSecrets } from "./unreadable-secrets.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { withDatabase } from "./with-database.ts";

interface Options {
  files?: string;
  json?: true;
  withoutSecrets?: true;
}

export function addRestoreCommand(program: Command): void {
  program
    .command("restore")
    .summary("restore a backup into an empty database")
    .description(
      "Restores a backup into an empty database, embedded or named by DATABASE_URL, all of it or nothing, and " +
        "upgrades it to this version. `-` reads standard input. Checks the whole file first and rejects a damaged " +
        "one. SECRET_KEY must be that of the backup: set it, or copy secret.key to DATA_DIR.",
    )
    .argument("<file>", "backup to restore, or - for standard input", parsePath)
    .option("--files <folder>", "folder of the files, as `colloquy backup --files` made it", parsePath)
    .option("--without-secrets", "restore although the backup's SECRET_KEY is lost")
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://db/colloquy colloquy restore 2030-01-31.colloquy")
    .action(async (path: string, options: Options) => {
      const config = readConfig();
      const { manifest, skipped, unreadable, ahead, files } = await untilInterrupted(async (signal) => {
        const file = await openArchive(path, config, signal);
        return restoreFile(file, path, config, options, signal).finally(() => file.close());
      });
      if (options.json) printJson(manifest);
      else print(`Restored ${describeContents(manifest)}, as of ${manifest.createdAt}.`);
      if (skipped.length > 0) {
        const names = skipped.join(", ");
        process.stderr.write(`Not restored are tables of the backup that belong to another program: ${names}.\n`);
      }
      if (options.files !== undefined) process.stderr.write(`Copied ${files.copied} files.\n`);
      if (files.missing > 0) {
        process.stderr.write(`Missing or damaged in ${options.files}, and read as not found: ${files.missing}.\n`);
      }
      if (ahead) {
        const { finding, remedy } = clockBehind(ahead);
        process.stderr.write(`${finding} ${remedy}\n`);
      }
      if (unreadable > 0) {
        const { finding, remedy } = unreadableSecrets(unreadable);
        process.stderr.write(`${finding} ${remedy}\n`);
      }
    });
}

async function openArchive(path: string, { dataDir }: Config, signal: AbortSignal): Promise<FileHandle> {
  if (path === "-") {
    if (process.stdin.isTTY)
      throw new Error("A backup is binary and cannot be read from a terminal. Redirect standard input.");
    return storeTemporarily(process.stdin, dataDir, signal);
  }
  const file = await open(path, "r").catch((error: unknown) => {
    throw isMissing(error) ? new Error(`There is no file ${path}. Name a backup.`) : error;
  });
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw new Error(`${path} is a folder. Name a backup, which is a file.`);
}

interface Restored {
  manifest: Manifest;
  skipped: string[];
  unreadable: number;
  ahead: NewestTime | undefined;
  /** Files that were copied, and those of which the folder does not have the bytes. */
  files: { copied: number; missing: number };
}

async function restoreFile(
  file: FileHandle,
  path: string,
  config: Config,
  options: Options,
  signal: AbortSignal,
): Promise<Restored> {
  const { size } = await file.stat();
  const checking = new ReadProgress("Checking", READS * size);
  const manifest = await verify(file, path, checking, signal, async (found, seal) => {
    await assertMigrationsKnown(found);
    if (!options.withoutSecrets) await assertAuthentic(config, found, seal);
  }).finally(() => checking.end());
  const restoring = new ReadProgress("Restoring", size);
  return withDatabase(async (database, log) => {
    const { secrets, fingerprints } = await readKeys({ config });
    let unreadable = 0;
    let ahead: NewestTime | undefined;
    let files = { copied: 0, missing: 0 };
    const skipped = await restoreBackup({
      connection: database.connectionConfig,
      file,
      manifest,
      log,
      onRead(bytes) {
        signal.throwIfAborted();
        restoring.add(bytes);
      },
      mails: openOutbox(config).restore(),
      async complete(transaction) {
        await recordRestore(transaction, manifest);
        await restartEventLogs(transaction);
        await requeueJobs(database, transaction, log);
        await replaceKey(transaction, fingerprints);
        ({ unreadable } = await countSecrets(transaction, secrets));
        if (options.files !== undefined) files = await restoreFiles(config, options.files, transaction, signal);
        ahead = await selectTimeAhead(acrossOrganizations(transaction), Date.parse(manifest.createdAt));
      },
    });
    const tables = manifest.tables.filter(({ name }) => !skipped.includes(name));
    return { manifest: { ...manifest, tables }, skipped, unreadable, ahead, files };
  }).finally(() => restoring.end());
}

async function verify(
  file: FileHandle,
  path: string,
  progress: ReadProgress,
  signal: AbortSignal,
  authenticate: (manifest: Manifest, seal: Seal) => Promise<void>,
): Promise<Manifest> {
  const onRead = (bytes: number) => {
    signal.throwIfAborted();
    progress.add(bytes);
  };
  try {
    return await verifyArchive(file, onRead, authenticate);
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
    const name = path === "-" ? "Standard input" : path;
    throw new Error(`${name} is damaged or no backup. ${error.message} Nothing was restored.`);
  }
}

/**
 * Throws unless the backup was made, as it is, with a known SECRET_KEY. Pre-release versions did not sign backups.
 * Reads no key that the next start would have to create: the file `secret.key` is to be copied there.
 */
async function assertAuthentic(config: Config, manifest: Manifest, { sha256, signature }: Seal): Promise<void> {
  const backups = (await hasSecretKey(config)) ? (await readKeys({ config })).backups : undefined;
  if (backups?.matchesHash(manifest.id, Buffer.from(manifest.secretKeyHash, "hex"))) {
    if (signature === undefined && isPreRelease(manifest)) return;
    if (backups.matchesHash(signedText(sha256), Buffer.from(signature ?? "", "hex"))) return;
    throw new Error(
      "The backup was changed, or not made by the service: SECRET_KEY has not signed it. Nothing was restored.",
    );
  }
  throw new Error(
    "SECRET_KEY is not that of the backup, so stored secrets could not be decrypted. Set it to the key of the " +
      "service that was backed up (its DATA_DIR/secret.key, unless SECRET_KEY was set), or add that key to " +
      `SECRET_KEY_OLD. If the key is lost, use --without-secrets, ${REMEDY_OF_LOST_KEY}`,
  );
}

/** Shows the progress of reading a file. */
class ReadProgress {
  readonly #progress: Progress;
  readonly #totalBytes: number;
  #readBytes = 0;

  constructor(title: string, totalBytes: number) {
    this.#progress = new Progress(title);
    this.#totalBytes = totalBytes;
  }

  add(bytes: number): void {
    this.#readBytes += bytes;
    this.#progress.update(this.#readBytes / this.#totalBytes);
  }

  end(): void {
    this.#progress.end();
  }
}
