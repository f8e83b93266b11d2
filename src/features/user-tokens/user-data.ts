import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Revocations of user tokens, which a deletion adds to. */
export const userTokenData: UserDataKind = {
  kind: "userTokenRevocations",
  columns: {},
  kept: {
    "user_token_revocations.user_key":
      "Holds a hash of the user's ID. It rejects the tokens that the user was issued, and is deleted when the last " +
      "of them has expired, after two days.",
  },
  steps: [],
};
