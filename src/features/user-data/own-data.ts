import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Data about the users that a deletion stores. It clears the addresses at its end. */
export const deletionData: UserDataKind = {
  kind: "userDataDeletions",
  columns: { user_data_deletions: ["addresses"] },
  kept: {
    "user_data_deletions.user_ids": "Proves whose data were deleted. They are cleared after AUDIT_RETENTION_DAYS.",
    "user_data_deletions.requested_by":
      "Names the auth token or the owner that asked, and no user. It is cleared after AUDIT_RETENTION_DAYS.",
  },
  steps: [],
};
