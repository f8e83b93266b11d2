import { purgeRowsStep } from "../purge/steps.ts";
import type { PurgeStep, UserDataKind } from "../purge/user-data-kind.ts";
import { CAUSED_ROWS, CONCERNING_ROWS, removeActors } from "./event-log-queries.ts";

const MAX_REDACTED = 1_000;

/** Removes users from the events that they have caused. The events stay, so that no reader skips a change. */
const removeActorsStep: PurgeStep = {
  rows: [CAUSED_ROWS],
  records: [],
  async purge(organization, deletion) {
    const count = await organization.transaction((transaction) => removeActors(transaction, deletion, MAX_REDACTED));
    return count < MAX_REDACTED ? {} : { next: [0] };
  },
};

/** Purges the events that concern users. Readers of the other events get the records as they are then. */
export const eventData: UserDataKind = {
  kind: "events",
  columns: { events: ["user_id", "subject"] },
  steps: [purgeRowsStep(CONCERNING_ROWS), removeActorsStep],
};
