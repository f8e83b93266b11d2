import type { Purge, UserDataKind } from "../../erasure/user-data-kind.ts";
import { addToReceipt } from "../../erasure/user-purge-queries.ts";
import { storedOrganization } from "../../tenancy/organization-scope.ts";
import { NAMING_TEXT, purgeHeld, scanHeld, selectHeldPage } from "./held-notification-queries.ts";

const NOTHING: ReadonlySet<string> = new Set();

const HELD = { table: "held_notifications", key: ["id"], writtenAt: "held_at", hasBytes: false, text: NAMING_TEXT };

/** Purges held notifications to the users, of events in which they acted, and those that name one of them. */
const purge: Purge = async (database, { mentions, receipt, ...scope }, after) => {
  const lastId = after?.[0];
  const { rows, next } = await scanHeld(database, scope, lastId === undefined ? undefined : String(lastId));
  const ids = rows.filter(({ text }) => mentions.strip(text, NOTHING) !== undefined).map(({ id }) => id);
  if (ids.length > 0) {
    await database.transaction(async (transaction) => {
      const deleted = await purgeHeld(storedOrganization(transaction, scope.organizationKey), ids);
      await addToReceipt(transaction, receipt, { deleted, stripped: 0 });
    });
  }
  return next === undefined ? {} : { next: [next] };
};

/** Purges and exports held notifications. */
export const heldNotificationData: UserDataKind = {
  kind: "heldNotifications",
  columns: { held_notifications: ["user_id", "record"] },
  steps: [{ rows: [], records: [HELD], purge }],
  selectPage: selectHeldPage,
};
