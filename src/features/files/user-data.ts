import type { Purge, UserDataKind } from "../purge/user-data-kind.ts";
import { addToReceipt } from "../purge/user-purge-queries.ts";
import { deleteRemovedFiles } from "./remove-files.ts";
import { MARKED_AT_ONCE, markFilesOf, markLeftFiles } from "./removed-file-queries.ts";

/** Removes the files that the users uploaded, and those of their records, which other kinds have purged before. */
const purgeFiles: Purge = async (organization, { userIds, accepted, files, receipt }) => {
  const counts = await organization.transaction(async (transaction) => {
    const counts = [await markFilesOf(transaction, userIds, accepted), await markLeftFiles(transaction)];
    await addToReceipt(transaction, receipt, { deleted: counts[0] ?? 0, stripped: 0 });
    return counts;
  });
  await deleteRemovedFiles(organization, files);
  return counts.includes(MARKED_AT_ONCE) ? { next: [] } : {};
};

/** Deletes the files that the users uploaded, and those that were named by their comments, recordings and profiles. */
export const fileData: UserDataKind = {
  kind: "files",
  columns: { files: ["user_id", "photo_user_id"] },
  kept: { "files.name": "Names a file of a record of another user, and is deleted with it." },
  steps: [
    {
      rows: [
        { table: "files", writtenAt: "created_at" },
        { table: "comments", writtenAt: "created_at" },
        { table: "recordings", writtenAt: "created_at" },
        { table: "users", writtenAt: "written_at" },
      ],
      records: [],
      purge: purgeFiles,
    },
  ],
};
