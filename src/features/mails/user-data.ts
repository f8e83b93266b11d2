import type { FilesScope, Purge, PurgeScope, UserDataKind } from "../purge/user-data-kind.ts";
import { addToReceipt } from "../purge/user-purge-queries.ts";
import { toOrganizationKey } from "../tenancy/organization-key.ts";
import { storedOrganization } from "../tenancy/organization-scope.ts";
import { NAMING_TEXT, type ScannedMail, scanMails, withdrawMails } from "./mail-queries.ts";

const NOTHING: ReadonlySet<string> = new Set();

/** Withdraws queued mails. Waits for a mail that is being sent, since it may be released or reach the outbox. */
const withdraw: Purge = async (database, scope, after) => {
  const [lastId, isSkipped] = after ?? [];
  const { mails, next } = await scanMails(
    storedOrganization(database, scope.organizationKey),
    scope.acceptedAt,
    lastId === undefined ? undefined : String(lastId),
  );
  const ids = mails.filter((mail) => concerns(scope, mail)).map(({ id }) => id);
  const withdrawn = ids.length === 0 ? 0 : await withdrawTogether(database, scope, ids);
  const isIncomplete = isSkipped === 1 || withdrawn < ids.length;
  return next === undefined ? { isIncomplete } : { next: [next, isIncomplete ? 1 : 0] };
};

function withdrawTogether(
  database: Parameters<Purge>[0],
  { organizationKey, receipt }: PurgeScope,
  ids: string[],
): Promise<number> {
  return database.transaction(async (transaction) => {
    const deleted = await withdrawMails(storedOrganization(transaction, organizationKey), ids);
    await addToReceipt(transaction, receipt, { deleted, stripped: 0 });
    return deleted;
  });
}

/** Returns whether the mail is to one of the users or names one of them. */
function concerns({ mentions }: PurgeScope, { userId, address, otherUserIds, record }: ScannedMail): boolean {
  const mail = { userIds: [userId, ...otherUserIds], address, record: JSON.parse(record) };
  return mentions.redact(JSON.stringify(mail), NOTHING) !== undefined;
}

const purgeOutbox: Purge = async (database, { acceptedAt, mentions, outbox, receipt, ...scope }) => {
  const place = { workspaceId: scope.workspaceId, organizationKey: toOrganizationKey(scope.organizationKey) };
  const deleted = await outbox.purge(place, acceptedAt, (text) => {
    return mentions.redact(JSON.stringify({ text }), NOTHING) !== undefined;
  });
  if (deleted > 0) await addToReceipt(database, receipt, { deleted, stripped: 0 });
  return {};
};

async function findFiles({ workspaceId, organizationKeys, acceptedAt, outbox }: FilesScope): Promise<Set<string>> {
  const organizations = new Map<string, string>(organizationKeys.map((key) => [toOrganizationKey(key), key]));
  const found = await outbox.findOrganizations(
    { workspaceId, organizationKeys: [...organizations.keys()] },
    acceptedAt,
  );
  return new Set(found.flatMap((name) => organizations.get(name) ?? []));
}

const MAILS = { table: "mails", key: ["id"], writtenAt: "created_at", hasBytes: false, text: NAMING_TEXT };

/** Purges mails to the users and mails that name them, in the queue and in the outbox. */
export const mailData: UserDataKind = {
  kind: "mails",
  columns: { mails: ["user_id", "address", "people", "record"] },
  steps: [
    { rows: [], records: [MAILS], purge: withdraw },
    { rows: [], records: [], findFiles, purge: purgeOutbox },
  ],
};
