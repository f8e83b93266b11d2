import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Data about the users that a deletion stores while it runs and deletes at its end. */
export const deletionData: UserDataKind = {
  kind: "userDataDeletions",
  columns: { user_data_deletions: ["user_ids", "addresses"] },
  steps: [],
};
