import { REPLACEMENT } from "../purge/mentions.ts";
import type { Purge, PurgeStep, UserDataKind } from "../purge/user-data-kind.ts";
import { addToReceipt } from "../purge/user-purge-queries.ts";
import { FILE_NAMES, renameFiles, scanFileNames } from "./file-name-queries.ts";
import { selectFileExportPage } from "./file-queries.ts";
import { deleteRemovedFiles } from "./remove-files.ts";
import {
  MARKED_AT_ONCE,
  markFilesOf,
  markUnreferencedFiles,
  selectKeysWithUnreferencedFiles,
} from "./removed-file-queries.ts";

/** Removes the files that the users uploaded, and those of their records, which other kinds have purged before. */
const purgeFiles: Purge = async (organization, { userIds, accepted, files, receipt }) => {
  const counts = await organization.transaction(async (transaction) => {
    const counts = [await markFilesOf(transaction, userIds, accepted), await markUnreferencedFiles(transaction)];
    await addToReceipt(transaction, receipt, { deleted: counts[0] ?? 0, stripped: 0 });
    return counts;
  });
  await deleteRemovedFiles(organization, files);
  return counts.includes(MARKED_AT_ONCE) ? { next: [] } : {};
};

/** Removes the users from the names of other files, which the records that reference the files get again. */
const redactNamesStep: PurgeStep = {
  rows: [],
  records: [FILE_NAMES],
  async purge(organization, deletion, after) {
    const { mentions, receipt } = deletion;
    const { files, next } = await scanFileNames(organization, deletion, String(after?.[0] ?? ""));
    const redacted = files.flatMap(({ id, text }) => {
      const without = mentions.redact(text);
      return without === undefined ? [] : [{ id, name: String(JSON.parse(without).name ?? REPLACEMENT) }];
    });
    if (redacted.length > 0) {
      await organization.transaction(async (transaction) => {
        const stripped = await renameFiles(transaction, redacted);
        await addToReceipt(transaction, receipt, { deleted: 0, stripped });
      });
    }
    return next === undefined ? {} : { next: [next] };
  },
};

/**
 * Deletes the files that the users uploaded, and those that were referenced by their comments, recordings and profiles.
 * Exports the former.
 */
export const fileData: UserDataKind = {
  kind: "files",
  columns: { files: ["user_id", "photo_user_id", "name"] },
  steps: [
    {
      rows: [
        { table: "files", writtenAt: "created_at" },
        { table: "comments", writtenAt: "created_at" },
        { table: "recordings", writtenAt: "created_at" },
        { table: "users", writtenAt: "written_at" },
      ],
      records: [],
      // Those of records that were purged before the process was killed.
      findFiles: async ({ organizationKeys }, scope) =>
        new Set(await selectKeysWithUnreferencedFiles(scope, organizationKeys)),
      purge: purgeFiles,
    },
    redactNamesStep,
  ],
  selectPage: selectFileExportPage,
};
