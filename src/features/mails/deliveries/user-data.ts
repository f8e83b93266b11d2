import { purgeRowsStep } from "../../purge/steps.ts";
import type { Purge, UserDataKind } from "../../purge/user-data-kind.ts";
import { addToReceipt } from "../../purge/user-purge-queries.ts";
import {
  NAMING_TEXT,
  purgeDeliveries,
  scanDeliveries,
  selectMailDeliveryExportPage,
} from "./mail-delivery-purge-queries.ts";

const ROWS = { table: "mail_deliveries", writtenAt: "created_at" };

/** Purges mails to an address of the users that are in the log under another user ID. */
const purgeAddressed: Purge = async (organization, { accepted, mentions, receipt }, after) => {
  const lastId = after?.[0];
  const { rows, next } = await scanDeliveries(
    organization,
    accepted,
    lastId === undefined ? undefined : String(lastId),
  );
  const ids = rows.filter(({ text }) => mentions.areIn(text)).map(({ id }) => id);
  if (ids.length > 0) {
    await organization.transaction(async (transaction) => {
      const deleted = await purgeDeliveries(transaction, ids);
      await addToReceipt(transaction, receipt, { deleted, stripped: 0 });
    });
  }
  return next === undefined ? {} : { next: [next] };
};

/** Purges and exports the delivery log of mails to the users. */
export const mailDeliveryData: UserDataKind = {
  kind: "mailDeliveries",
  columns: { mail_deliveries: ["user_id", "address", "reason"], workspace_mails: ["address", "reason"] },
  steps: [
    purgeRowsStep(ROWS),
    { rows: [], records: [{ ...ROWS, key: ["id"], hasBytes: false, text: NAMING_TEXT }], purge: purgeAddressed },
  ],
  selectPage: selectMailDeliveryExportPage,
};
