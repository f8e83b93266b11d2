import { purgeRowsStep } from "../purge/steps.ts";
import type { PurgeStep, UserDataKind } from "../purge/user-data-kind.ts";
import { addToReceipt } from "../purge/user-purge-queries.ts";
import { CAUSED_ROWS, CONCERNING_ROWS, removeActors } from "./event-log-queries.ts";
import { lockEvents, NAMING_EVENTS, replaceEventTexts, scanEvents } from "./event-redaction-queries.ts";

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

/** Removes users from what events of others tell besides records: texts of a status, and pairs of an access context. */
const redactTextsStep: PurgeStep = {
  rows: [],
  records: [NAMING_EVENTS],
  async purge(organization, deletion, after) {
    const { mentions, receipt } = deletion;
    const redact = (events: Awaited<ReturnType<typeof lockEvents>>) =>
      events.flatMap((event) => {
        const text = mentions.redact(event.text);
        return text === undefined ? [] : [{ ...event, text }];
      });
    const { events, next } = await scanEvents(organization, deletion, Number(after?.[0] ?? 0));
    const positions = redact(events).map(({ position }) => position);
    if (positions.length > 0) {
      await organization.transaction(async (transaction) => {
        const redacted = redact(await lockEvents(transaction, positions));
        await replaceEventTexts(transaction, redacted);
        await addToReceipt(transaction, receipt, { deleted: 0, stripped: redacted.length });
      });
    }
    return next === undefined ? {} : { next: [next] };
  },
};

/** Purges the events that concern users. Readers of the other events get the records as they are then. */
export const eventData: UserDataKind = {
  kind: "events",
  columns: { events: ["user_id", "subject", "details", "access_fields"] },
  steps: [purgeRowsStep(CONCERNING_ROWS), removeActorsStep, redactTextsStep],
};
