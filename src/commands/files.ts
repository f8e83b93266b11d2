import type { Command } from "commander";
import { readConfig } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { markMissingFile } from "../features/files/removed-file-queries.ts";
import { selectUploadedFiles } from "../features/files/stored-file-queries.ts";
import { findBytesWithoutRows, findRowsWithoutBytes } from "../features/files/unmatched-files.ts";
import { acrossOrganizations, storedOrganization } from "../features/tenancy/organization-scope.ts";
import type { FileKey, ListableStore } from "../files/file-store.ts";
import { openFileStore } from "../service/files.ts";
import { print } from "./output.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

export function addFilesCommand(program: Command): void {
  program
    .command("files")
    .summary("compare the stored files with the database")
    .description("Inspects the store of files.")
    .command("check")
    .summary("list bytes without rows and rows without bytes")
    .description(
      "Lists the bytes in the store of files that the database does not know, and the files of the database whose " +
        "bytes are missing, such as after restoring an older backup. Leaves out what is younger than a day. Deletes " +
        "nothing without --delete, and nothing at all if the database or the store has no files. Can run while the " +
        "service runs.",
    )
    .option("--delete", "delete what is listed: the bytes, and the files whose bytes are missing")
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy files check")
    .action(async (options: { delete?: true }) => {
      await withMigratedDatabase((database) => check(database, options.delete === true));
    });
}

async function check(database: Database, isDeleting: boolean): Promise<void> {
  const store = openFileStore(readConfig());
  if (isDeleting) await assertBothHaveFiles(database, store);
  const bytes = await list("bytes without a row", findBytesWithoutRows(database, store), async (file) => {
    if (isDeleting) await store.delete(file);
  });
  const rows = await list("row without bytes", findRowsWithoutBytes(database, store), async (file) => {
    if (isDeleting) await markMissingFile(storedOrganization(database, file.organizationKey), file.fileId);
  });
  const outcome = isDeleting ? "All were deleted." : "Nothing was deleted.";
  print(`Bytes without a row: ${bytes}. Rows without bytes: ${rows}. ${bytes + rows > 0 ? outcome : ""}`.trimEnd());
}

/** Throws if the database or the store has no files: then one of them is likely another one than meant. */
async function assertBothHaveFiles(database: Database, store: ListableStore): Promise<void> {
  const rows = await selectUploadedFiles(acrossOrganizations(database), undefined, 1);
  if (rows.length === 0) throw new Error("The database has no files. Check DATABASE_URL. Nothing was deleted.");
  for await (const _ of store.list()) return;
  throw new Error("The store has no files. Check FILES_URL and DATA_DIR. Nothing was deleted.");
}

/** Prints each file as soon as it is found. Returns how many. */
async function list(
  problem: string,
  files: AsyncIterable<FileKey & { size: number }>,
  handle: (file: FileKey) => Promise<void>,
): Promise<number> {
  let count = 0;
  for await (const file of files) {
    await handle(file);
    print(`${problem}: ${file.organizationKey}/${file.fileId}, ${file.size} bytes`);
    count++;
  }
  return count;
}
