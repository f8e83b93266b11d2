import { redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Live states stay, without mentions of the users: they belong to a document, and no author is recorded. */
export const liveStateData: UserDataKind = {
  kind: "liveStates",
  columns: { live_states: ["record"] },
  steps: [redactMentionsStep({ table: "live_states", key: ["document_id", "live_state_id"], hasBytes: true }, [])],
};
