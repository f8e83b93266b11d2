import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Responses to writes that callers may repeat. */
export const idempotencyData: UserDataKind = {
  kind: "idempotencyKeys",
  columns: {},
  kept: {
    "idempotency_keys.response":
      "Is the encrypted response to a write, which only its caller gets again. It is deleted after 24 hours.",
  },
  steps: [],
};
