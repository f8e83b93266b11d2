import type { UserData } from "./user-data.ts";

/** What a deletion knows of the users while it runs; its end empties it. */
export const deletionData: UserData = {
  kind: "userDataDeletions",
  columns: { user_data_deletions: ["user_ids", "addresses"] },
  steps: [],
};
