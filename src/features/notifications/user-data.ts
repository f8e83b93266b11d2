import { accessFieldsColumn } from "../../contract/access-context.ts";
import { IMPORTABLE } from "../purge/owned-tables.ts";
import { purgeRowsStep, readAddresses, redactMentionsStep } from "../purge/steps.ts";
import type { Purge, UserDataKind } from "../purge/user-data-kind.ts";
import { addToReceipt } from "../purge/user-purge-queries.ts";
import {
  hasUserNotifications,
  IN_INBOX,
  lockUserNotifications,
  NOT_IN_INBOX,
  selectNotificationExportPage,
  selectReceivedPage,
} from "./notification-purge-queries.ts";
import { deleteNotificationRows } from "./notification-queries.ts";

const ROWS = { table: "notifications", key: ["id"], ...IMPORTABLE };

/** Purges notifications for everyone. Reads the recipients after locking the notification, so that none remains. */
const purgeAuthored: Purge = async (organization, deletion) => {
  if (!(await hasUserNotifications(organization, deletion))) return {};
  const isAny = await organization.transaction(async (transaction) => {
    const sequences = await lockUserNotifications(transaction, deletion);
    await deleteNotificationRows(transaction, sequences);
    await addToReceipt(transaction, deletion.receipt, { deleted: sequences.length, stripped: 0 });
    return sequences.length > 0;
  });
  return isAny ? { next: [0] } : { isIncomplete: true };
};

/** Purges the notifications of events in which the users acted, and redacts the users in the others. */
export const notificationData: UserDataKind = {
  kind: "notifications",
  columns: { notifications: ["user_id", "record", "access_fields"] },
  findAddresses: (organization, users) => readAddresses(organization, ROWS, "actionUser", users),
  steps: [
    { rows: [ROWS], records: [], purge: purgeAuthored },
    redactMentionsStep(
      { ...ROWS, hasBytes: true, computed: { access_fields: ({ context }) => accessFieldsColumn(context) } },
      [
        ...["id", "location.id"],
        ...["metadata.apiKey", "metadata.documentId", "metadata.organizationId", "metadata.locationId"],
      ],
    ),
  ],
  selectPage: selectNotificationExportPage,
};

const RECIPIENTS = { table: "notification_recipients", ...IMPORTABLE };

/** Purges and exports inboxes. One index has the notifications in an inbox, another those that left it. */
export const receivedNotificationData: UserDataKind = {
  kind: "receivedNotifications",
  columns: { notification_recipients: ["user_id"] },
  steps: [
    purgeRowsStep({ ...RECIPIENTS, condition: IN_INBOX }),
    purgeRowsStep({ ...RECIPIENTS, condition: NOT_IN_INBOX }),
  ],
  selectPage: selectReceivedPage,
};
