import { purgeRowsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Deletes the files that the users uploaded. */
export const fileData: UserDataKind = {
  kind: "files",
  columns: { files: ["user_id"] },
  kept: { "files.name": "Names a file of a record of another user, and is deleted with it." },
  steps: [purgeRowsStep({ table: "files", writtenAt: "created_at" })],
};
