import type { Purge, UserDataKind } from "../../purge/user-data-kind.ts";
import { addToReceipt } from "../../purge/user-purge-queries.ts";
import { NAMING_TEXT, purgeDelayed, scanDelayed, selectDelayedPage } from "./delayed-notification-queries.ts";

const DELAYED = {
  table: "delayed_notifications",
  key: ["id"],
  writtenAt: "delayed_at",
  hasBytes: false,
  text: NAMING_TEXT,
};

/** Purges delayed notifications to the users, of events in which they acted, and those that name one of them. */
const purge: Purge = async (organization, { accepted, mentions, receipt }, after) => {
  const lastId = after?.[0];
  const { rows, next } = await scanDelayed(organization, accepted, lastId === undefined ? undefined : String(lastId));
  const ids = rows.filter(({ text }) => mentions.areIn(text)).map(({ id }) => id);
  if (ids.length > 0) {
    await organization.transaction(async (transaction) => {
      const deleted = await purgeDelayed(transaction, ids);
      await addToReceipt(transaction, receipt, { deleted, stripped: 0 });
    });
  }
  return next === undefined ? {} : { next: [next] };
};

/** Purges and exports delayed notifications. */
export const delayedNotificationData: UserDataKind = {
  kind: "delayedNotifications",
  columns: { delayed_notifications: ["user_id", "record"] },
  steps: [{ rows: [], records: [DELAYED], purge }],
  selectPage: selectDelayedPage,
};
