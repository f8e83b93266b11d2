import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** What a deletion knows of the users while it runs; its end empties it. */
export const deletionData: UserDataKind = {
  kind: "userDataDeletions",
  columns: { user_data_deletions: ["user_ids", "addresses"] },
  steps: [],
};
