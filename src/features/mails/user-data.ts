import type { FilesScope, Purge, PurgeScope, UserDataKind } from "../erasure/user-data-kind.ts";
import { addToReceipt } from "../erasure/users/queries.ts";
import { digitsOf } from "../tenancy/organization-key.ts";
import { type FoundMail, NAMING_TEXT, scanMails, withdrawMails } from "./queries.ts";

const NOTHING: ReadonlySet<string> = new Set();

/** A mail that is with a mail server at the moment is waited for, as it may come back or go into the outbox. */
const withdraw: Purge = async (database, scope, after) => {
  const [lastId, isPassedOver] = after ?? [];
  const { mails, next } = await scanMails(database, scope, lastId === undefined ? undefined : String(lastId));
  const ids = mails.filter((mail) => concerns(scope, mail)).map(({ id }) => id);
  const withdrawn = ids.length === 0 ? 0 : await withdrawTogether(database, scope, ids);
  const isIncomplete = isPassedOver === 1 || withdrawn < ids.length;
  return next === undefined ? { isIncomplete } : { next: [next, isIncomplete ? 1 : 0] };
};

function withdrawTogether(
  database: Parameters<Purge>[0],
  { organizationKey, receipt }: PurgeScope,
  ids: string[],
): Promise<number> {
  return database.transaction(async (transaction) => {
    const deleted = await withdrawMails(transaction, organizationKey, ids);
    await addToReceipt(transaction, receipt, { deleted, stripped: 0 });
    return deleted;
  });
}

/** To one of the users, of what they did, or naming them. */
function concerns({ mentions }: PurgeScope, { userId, address, people, record }: FoundMail): boolean {
  const mail = { userIds: [userId, ...people], address, record: JSON.parse(record) };
  return mentions.strip(JSON.stringify(mail), NOTHING) !== undefined;
}

const purgeOutbox: Purge = async (database, { acceptedAt, mentions, outbox, receipt, ...scope }) => {
  const place = { workspaceId: scope.workspaceId, organizationKey: digitsOf(scope.organizationKey) };
  const deleted = await outbox.purge(place, acceptedAt, (text) => {
    return mentions.strip(JSON.stringify({ text }), NOTHING) !== undefined;
  });
  if (deleted > 0) await addToReceipt(database, receipt, { deleted, stripped: 0 });
  return {};
};

async function findFiles({ workspaceId, organizationKeys, acceptedAt, outbox }: FilesScope): Promise<Set<string>> {
  const organizations = new Map(organizationKeys.map((key) => [digitsOf(key), key]));
  const found = await outbox.findOrganizations(
    { workspaceId, organizationKeys: [...organizations.keys()] },
    acceptedAt,
  );
  return new Set(found.flatMap((name) => organizations.get(name) ?? []));
}

const MAILS = { table: "mails", key: ["id"], writtenAt: "created_at", hasBytes: false, text: NAMING_TEXT };

/** Mails that concern or name the users are not sent; in the outbox there are none either. */
export const mailData: UserDataKind = {
  kind: "mails",
  columns: { mails: ["user_id", "address", "people", "record"] },
  steps: [
    { rows: [], records: [MAILS], purge: withdraw },
    { rows: [], records: [], findFiles, purge: purgeOutbox },
  ],
};
