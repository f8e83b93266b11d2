import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { type Config, readConfig } from "../config/config.ts";
import { createPrivateFile } from "../config/private-file.ts";
import { packArchive, signedText } from "../database/backup/archive.ts";
import { readBackup } from "../database/backup/backup.ts";
import type { Manifest } from "../database/backup/manifest.ts";
import { hasCluster } from "../database/embedded-files.ts";
import { recordBackup } from "../features/workspaces/workspaces.ts";
import { readKeys } from "../service/keys.ts";
import { openOutbox } from "../service/mailer.ts";
import { JSON_OPTION, parsePath } from "./arguments.ts";
import { describeContents } from "./backup-contents.ts";
import { withCopiedFiles } from "./backup-files.ts";
import { Progress } from "./progress.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { withDatabase } from "./with-database.ts";

export function addBackupCommand(program: Command): void {
  program
    .command("backup")
    .summary("write all data to a file, also while the service runs")
    .description(
      "Writes all data of one moment to a new file, which only its owner can read, also while the service runs. `-` " +
        "writes to standard output. Stored secrets stay encrypted: keep SECRET_KEY, or DATA_DIR/secret.key, with " +
        "the backup, in another place. An upgrade of the database waits until the backup is done. The files of " +
        "DATA_DIR are in the backup only with --files, in a folder beside it.",
    )
    .argument("<file>", "file to create, or - for standard output", parsePath)
    .option("--files <folder>", "new folder to copy the files of DATA_DIR to", parsePath)
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy backup 2030-01-31.colloquy --files 2030-01-31.files")
    .action(async (file: string, options: { files?: string; json?: true }) => {
      const config = readConfig();
      if (config.databaseUrl === undefined && !(await hasCluster(config.dataDir))) {
        throw new Error(`There is no database in ${config.dataDir}. Set DATA_DIR, or DATABASE_URL.`);
      }
      const { manifest, copied } = await untilInterrupted(async (signal) => {
        const back = () => backUp(config, file, signal);
        if (options.files === undefined) return { manifest: await back(), copied: 0 };
        const { result, copied } = await withCopiedFiles(config, options.files, signal, back);
        return { manifest: result, copied };
      });
      const files = options.files === undefined ? "" : ` Copied ${copied} files to ${options.files}.`;
      const report = options.json
        ? JSON.stringify(manifest, undefined, 2)
        : `Backed up ${describeContents(manifest)}.${files}`;
      if (options.files === undefined && config.files === undefined && (await hasFiles(config))) {
        process.stderr.write(
          `Files are not in the backup. Copy ${join(config.dataDir, "files")} now, or use --files.\n`,
        );
      }
      // Standard output is the backup itself if `file` is `-`.
      (file === "-" ? process.stderr : process.stdout).write(`${report}\n`);
    });
}

/** Writes all data of one moment to a file. */
async function backUp(config: Config, file: string, signal: AbortSignal): Promise<Manifest> {
  const progress = new Progress("Backing up");
  return withDatabase(async (database, log) => {
    const { connectionConfig: connection } = database;
    const { backups } = await readKeys({ config });
    const finished = Promise.withResolvers<Manifest>();
    const entries = readBackup({
      connection,
      log,
      version: packageJson.version,
      hashId: (id) => backups.hash(id).toString("hex"),
      mails: openOutbox(config).files(),
      onProgress: (share, name) => progress.update(share, name),
      onManifest: finished.resolve,
    });
    const sign = (sha256: string) => backups.hash(signedText(sha256)).toString("hex");
    await write(packArchive(entries, sign), file, signal);
    const written = await finished.promise;
    await recordBackup(database, written.id).catch((err: unknown) => {
      log.warn({ err }, "the backup is complete, but could not be recorded in the audit log");
    });
    return written;
  }).finally(() => progress.end());
}

/** Returns whether the service stores files in its folder. */
async function hasFiles({ dataDir }: Config): Promise<boolean> {
  const names = await readdir(join(dataDir, "files")).catch(() => []);
  return names.length > 0;
}

async function write(archive: AsyncIterable<Uint8Array>, file: string, signal: AbortSignal): Promise<void> {
  if (file !== "-") return createPrivateFile(file, archive, signal);
  if (process.stdout.isTTY)
    throw new Error("A backup is binary and cannot be written to a terminal. Redirect standard output.");
  let isArchiveFailing = false;
  async function* readArchive(): AsyncGenerator<Uint8Array> {
    try {
      yield* archive;
    } catch (error) {
      isArchiveFailing = true;
      throw error;
    }
  }
  try {
    await pipeline(readArchive, process.stdout, { signal, end: false });
  } catch (error) {
    if (isArchiveFailing || !(error instanceof Error)) throw error;
    const reason = "code" in error && error.code === "EPIPE" ? "its reader has closed the pipe" : error.message;
    throw new Error(`The backup is incomplete, because standard output cannot be written: ${reason}.`);
  }
}
