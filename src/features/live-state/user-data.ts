import { stripMentionsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Live states stay, without mentions of the users: they belong to a document, and no author is recorded. */
export const liveStateData: UserDataKind = {
  kind: "liveStates",
  columns: { live_states: ["record"] },
  steps: [stripMentionsStep({ table: "live_states", key: ["document_id", "live_state_id"], hasBytes: true }, [])],
};
