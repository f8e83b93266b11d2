import type { Database } from "../../database/database.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import type { Mentions } from "../purge/mentions.ts";
import type { Moment } from "../purge/purge-queries.ts";
import {
  type FileSearch,
  NO_ORGANIZATION,
  type Purge,
  type UserDataKind,
  type UserDeletion,
} from "../purge/user-data-kind.ts";
import { addToReceipt } from "../purge/user-purge-queries.ts";
import type { TransactionalOrganization } from "../tenancy/organization-scope.ts";
import { deleteWorkspaceMails, scanWorkspaceMails } from "../workspaces/workspace-mail-queries.ts";
import { recordCancellation } from "./deliveries/mail-delivery-queries.ts";
import { mailDeliveryData } from "./deliveries/user-data.ts";
import { cancelMails, NAMING_TEXT, type ScannedMail, scanMails } from "./mail-queries.ts";

const MAILS_AT_ONCE = 500;

/** Cancels queued mails. Waits for a mail that is being sent, since it may be released or reach the outbox. */
const cancel: Purge = async (organization, deletion, after) => {
  const [lastId, isSkipped] = after ?? [];
  const { mails, next } = await scanMails(
    organization,
    deletion.accepted,
    lastId === undefined ? undefined : String(lastId),
  );
  const ids = mails.filter((mail) => concerns(deletion, mail)).map(({ id }) => id);
  const canceled = ids.length === 0 ? 0 : await cancelTogether(organization, deletion, ids);
  const isIncomplete = isSkipped === 1 || canceled < ids.length;
  return next === undefined ? { isIncomplete } : { next: [next, isIncomplete ? 1 : 0] };
};

function cancelTogether(
  organization: TransactionalOrganization,
  { receipt }: UserDeletion,
  ids: string[],
): Promise<number> {
  return organization.transaction(async (transaction) => {
    const canceled = await cancelMails(transaction, ids);
    await recordCancellation(transaction, canceled, "The data of a user whom it names was deleted.");
    await addToReceipt(transaction, receipt, { deleted: canceled.length, stripped: 0 });
    return canceled.length;
  });
}

/** Returns whether the mail is to one of the users or names one of them. */
function concerns({ mentions }: UserDeletion, { userId, address, otherUserIds, record }: ScannedMail): boolean {
  const mail = { userIds: [userId, ...otherUserIds], address, record: JSON.parse(record) };
  return mentions.areIn(JSON.stringify(mail));
}

const purgeOutbox: Purge = async (organization, { accepted, mentions, outbox, receipt }) => {
  const deleted = await outbox.purge({ organizationKey: organization.key }, accepted.time, names(mentions));
  await addToReceipt(organization, receipt, { deleted, stripped: 0 });
  return {};
};

/** Purges the mails that name the users and belong to no organization, such as test mails: the outbox and the log. */
export async function purgeUnownedMails(
  database: Database,
  deletion: { id: string; workspaceId: string; accepted: Moment },
  { outbox, mentions }: Pick<UserDeletion, "outbox" | "mentions">,
): Promise<void> {
  const { id, workspaceId, accepted } = deletion;
  const deleted = await outbox.purge({ workspaceId }, accepted.time, names(mentions));
  const receipt = { deletionId: id, organizationId: NO_ORGANIZATION, kind: mailData.kind };
  await addToReceipt(database, receipt, { deleted, stripped: 0 });
  let after: string | undefined;
  do {
    const mails = await scanWorkspaceMails(database, deletion, { after, limit: MAILS_AT_ONCE });
    const named = mails.filter(({ text }) => mentions.areIn(text));
    await database.transaction(async (transaction) => {
      const ids = named.map((mail) => mail.id);
      const purged = await deleteWorkspaceMails(transaction, workspaceId, ids);
      await addToReceipt(transaction, { ...receipt, kind: mailDeliveryData.kind }, { deleted: purged, stripped: 0 });
    });
    after = mails.length < MAILS_AT_ONCE ? undefined : mails.at(-1)?.id;
  } while (after !== undefined);
}

function names(mentions: Mentions): (text: string) => boolean {
  return (text) => mentions.areIn(JSON.stringify({ text }));
}

async function findFiles({ accepted, outbox, organizationKeys }: FileSearch): Promise<Set<OrganizationKey>> {
  return new Set(await outbox.findOrganizations(organizationKeys, accepted.time));
}

const MAILS = { table: "mails", key: ["id"], writtenAt: "created_at", hasBytes: false, text: NAMING_TEXT };

/** Purges mails to the users and mails that name them, in the queue and in the outbox. */
export const mailData: UserDataKind = {
  kind: "mails",
  columns: { mails: ["user_id", "address", "other_user_ids", "record"] },
  steps: [
    { rows: [], records: [MAILS], purge: cancel },
    { rows: [], records: [], findFiles, purge: purgeOutbox },
  ],
};
