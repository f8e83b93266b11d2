import type { Purge, UserDataKind } from "../../purge/user-data-kind.ts";
import { addToReceipt } from "../../purge/user-purge-queries.ts";
import { NAMING_TEXT, purgeMessages, scanMessages } from "./webhook-purge-queries.ts";

const MESSAGES = {
  ...{ table: "webhook_messages", key: ["id"], writtenAt: "created_at", hasBytes: false },
  text: NAMING_TEXT,
};

/** Purges messages about acts of the users, and those whose receivers have responded with their IDs or addresses. */
const purge: Purge = async (organization, { accepted, mentions, receipt }, after) => {
  const lastId = after?.[0];
  const { rows, next } = await scanMessages(organization, accepted, lastId === undefined ? undefined : String(lastId));
  const ids = rows.filter(({ text }) => mentions.areIn(text)).map(({ id }) => id);
  if (ids.length > 0) {
    await organization.transaction(async (transaction) => {
      const deleted = await purgeMessages(transaction, ids);
      await addToReceipt(transaction, receipt, { deleted, stripped: 0 });
    });
  }
  return next === undefined ? {} : { next: [next] };
};

export const webhookMessageData: UserDataKind = {
  kind: "webhookMessages",
  columns: { webhook_messages: ["event", "attempts"] },
  steps: [{ rows: [], records: [MESSAGES], purge }],
};
