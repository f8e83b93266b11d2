import type { Workspace } from "../../contract/operation.ts";
import { newId } from "../../database/new-id.ts";
import type { Queryable } from "../../database/statement.ts";
import { isEmailAddress } from "../../email/address.ts";
import { bounded, type MailEvent, type Reason, type Trigger } from "../../email/templates.ts";
import type { JobQueue } from "../../jobs/jobs.ts";
import { organizationScope } from "../access/organization-scope.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { nameOf, readKnownUsers } from "./known-users.ts";
import { insertMails, type NewMail, selectByPreference, selectDocumentRecords } from "./queries.ts";
import { SEND_MAIL } from "./send-mail.ts";

/** User who is named in a mail. */
interface NamedUser {
  userId: string;
  name?: string | undefined;
}

interface Recipient extends NamedUser {
  /** Whether the user is tagged or assigned, which the preference MINE requires. */
  isConcerned: boolean;
  email?: string | undefined;
}

/** Event in a document that is announced by mail. */
export interface MailAnnouncement {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
  annotationId: string;
  trigger: Trigger;
  /** The acting user, who gets no mail. The names of actor and assignee default to those of their records. */
  actor: NamedUser;
  /**
   * Users who may get a mail. The user's record takes precedence over the name and email given here. A user without an
   * address gets no mail.
   */
  recipients: Recipient[];
  about: {
    /** Text of the comment. */
    text?: string | undefined;
    /** Users tagged in the text, whose deletion deletes the mail too. */
    tagged?: NamedUser[] | undefined;
    /** Names of the status or priority before and after. */
    from?: string | undefined;
    to?: string | undefined;
    /** User to whom the annotation is now assigned. */
    assignee?: NamedUser | undefined;
  };
}

/**
 * Queues mails, which are sent after the commit of `transaction`: to each recipient who may read the document and whose
 * email preference lets the event through, if the workspace's email service and the trigger are on. The announcements
 * of a digest make one mail to each recipient. The transaction must have ensured the documents. Runs no statement if
 * mails are off, and otherwise a few for all announcements together.
 */
export async function announceByMail(
  transaction: Queryable,
  jobs: JobQueue,
  announcements: MailAnnouncement[],
  digests: MailAnnouncement[][] = [],
): Promise<void> {
  const groups = [...announcements.map((announcement) => [announcement]), ...digests];
  const candidates = groups.flatMap((group, index) =>
    group.filter(isMailed).flatMap((announcement) => candidatesOf(announcement, index)),
  );
  if (candidates.length === 0) return;
  const selected = await selectReaders(transaction, await selectByPreference(transaction, candidates));
  if (selected.length === 0) return;
  const known = await readKnownUsers(transaction, selected.flatMap(namedUsersOf));
  const documentRecords = await selectDocumentRecords(transaction, selected);
  const written = selected.flatMap((candidate, index) =>
    mailOf(candidate, known, documentNameOf(documentRecords[index])),
  );
  const mails = [...Map.groupBy(written, ({ group, userId }) => `${group} ${userId}`).values()].flatMap(inOneMail);
  if (mails.length === 0) return;
  await insertMails(transaction, mails);
  const keys = mails.map(({ organizationKey: key, id }) => ({ organizationKey: key, id }));
  await jobs.send(transaction, SEND_MAIL, keys);
}

/** Returns whether the workspace mails events of the trigger. The settings are read again before a mail is sent. */
export function isMailed({ workspace, trigger }: Pick<MailAnnouncement, "workspace" | "trigger">): boolean {
  return workspace.emailTriggers.includes(trigger);
}

interface Candidate {
  /** Index of the digest, or of the announcement that is none. */
  group: number;
  announcement: MailAnnouncement;
  organizationKey: string;
  documentId: string;
  userId: string;
  isConcerned: boolean;
  recipient: Recipient;
}

function candidatesOf(announcement: MailAnnouncement, group: number): Candidate[] {
  const { workspace, organizationId, documentId } = announcement;
  const key = organizationKey(workspace.id, organizationId);
  return [...recipientsOf(announcement)].map(([userId, recipient]) => {
    const { isConcerned } = recipient;
    return { group, announcement, organizationKey: key, documentId, userId, isConcerned, recipient };
  });
}

/** Returns the candidates who may read the document. Only stored permissions count, since nobody shows a token. */
async function selectReaders(transaction: Queryable, candidates: Candidate[]): Promise<Candidate[]> {
  const readers = new Set<Candidate>();
  for (const group of Map.groupBy(candidates, (candidate) => candidate.organizationKey).values()) {
    const [first] = group;
    if (!first) continue;
    const { workspace, organizationId } = first.announcement;
    const mayRead = await findPermittedUsers(
      transaction,
      organizationScope(workspace, organizationId),
      group,
      "viewer",
    );
    for (const candidate of group) if (mayRead(candidate)) readers.add(candidate);
  }
  return candidates.filter((candidate) => readers.has(candidate));
}

/** Returns the recipient, the acting user and the assignee. */
function namedUsersOf({ organizationKey: key, userId, announcement: { actor, about } }: Candidate) {
  const userIds = [userId, actor.userId, ...(about.assignee ? [about.assignee.userId] : [])];
  return userIds.map((id) => ({ organizationKey: key, userId: id }));
}

/** Returns the address for mails: that of the user's record, else that of the event, if one is valid. */
export function addressOf(...emails: (string | undefined)[]): string | undefined {
  return emails.find((email) => email !== undefined && isEmailAddress(email));
}

/** Mail about one event, before the events of a digest become one mail. */
interface WrittenMail extends Omit<NewMail, "record"> {
  group: number;
  event: MailEvent;
}

/** Returns one mail about the events of mails to the same user. */
function inOneMail([first, ...others]: WrittenMail[]): NewMail[] {
  if (!first) return [];
  const { group: _, event, ...mail } = first;
  const further = others.map((other) => other.event);
  const otherUserIds = [...new Set([first, ...others].flatMap((written) => written.otherUserIds))];
  const annotationIds = [...new Set([first, ...others].flatMap((written) => written.annotationIds))];
  const record = JSON.stringify(bounded(further.length > 0 ? { ...event, further } : event));
  return [{ ...mail, otherUserIds, annotationIds, record }];
}

/** Returns the mail to a candidate; none if there is no address. */
function mailOf(
  { group, announcement, recipient, organizationKey: key, documentId, userId }: Candidate,
  known: Awaited<ReturnType<typeof readKnownUsers>>,
  documentName: string | undefined,
): WrittenMail[] {
  const { workspace, trigger, actor, about } = announcement;
  const own = known(key, userId);
  const address = addressOf(own.email, recipient.email);
  if (address === undefined) return [];
  const named = (user: NamedUser) => nameOf(user.userId, user.name, known(key, user.userId).name);
  const event = {
    trigger,
    actor: named(actor),
    recipient: nameOf(userId, own.name, recipient.name),
    document: documentName || documentId,
    text: about.text,
    from: about.from,
    to: about.to,
    assignee: about.assignee && named(about.assignee),
    isRecipientAssigned: about.assignee?.userId === userId,
    reason: reasonOf(announcement, recipient),
  };
  const others = [actor, ...(about.assignee ? [about.assignee] : []), ...(about.tagged ?? [])];
  const mail = { id: newId(), organizationKey: key, workspaceId: workspace.id, documentId, userId, address };
  const otherUserIds = [...new Set(others.map((user) => user.userId))];
  return [{ ...mail, group, event, otherUserIds, annotationIds: [announcement.annotationId] }];
}

/** Returns why the recipient gets the mail. A concerned user who is not tagged is assigned. */
function reasonOf({ about }: MailAnnouncement, { userId, isConcerned }: Recipient): Reason {
  if (about.tagged?.some((user) => user.userId === userId)) return "mentioned";
  return isConcerned ? "assigned" : "participant";
}

/** Returns the recipients by id, except the acting user. A repeated recipient is concerned if one entry says so. */
function recipientsOf({ actor, recipients }: MailAnnouncement): Map<string, Recipient> {
  const byId = new Map<string, Recipient>();
  for (const recipient of recipients) {
    const { userId, name, email } = recipient;
    if (userId === actor.userId) continue;
    const earlier = byId.get(userId);
    byId.set(userId, {
      userId,
      name: earlier?.name ?? name,
      email: earlier?.email ?? email,
      isConcerned: recipient.isConcerned || earlier?.isConcerned === true,
    });
  }
  return byId;
}

/** Returns the name in the JSON text of a document's record, if there is one. */
function documentNameOf(record: string | null | undefined): string | undefined {
  const { documentName }: { documentName?: unknown } = typeof record === "string" ? JSON.parse(record) : {};
  return typeof documentName === "string" ? documentName : undefined;
}
