import type { Workspace } from "../../contract/operation.ts";
import { newId } from "../../database/new-id.ts";
import { trimEmailAddress } from "../../email/address.ts";
import { bounded, type MailEvent, type MailTrigger, type Reason } from "../../email/templates.ts";
import type { JobQueue } from "../../jobs/jobs.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { getName, readDocumentNames, readKnownUsers } from "./known-users.ts";
import { insertMails, type NewMail, selectByPreference } from "./mail-queries.ts";
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

/** Comment event about which users get mails. */
export interface MailedEvent {
  documentId: string;
  annotationId: string;
  /** The comment that the event is about, if it is about one. */
  commentId?: number | undefined;
  /** ID that the changes of one update have in common, in a group with events of several. */
  updateId?: string | undefined;
  trigger: MailTrigger;
  /** The acting user, who gets no mail. The names of actor and assignee default to those of their records. */
  actor: NamedUser;
  /**
   * Users who may get a mail. The user's record takes precedence over the name and email given here. A user without an
   * address gets no mail.
   */
  recipients: Recipient[];
  about: {
    /** Text of the comment, by which the deletion of a user finds the mail. That of the time of sending is sent. */
    text?: string | undefined;
    /** Users tagged in the text, whose deletion deletes the mail too. */
    tagged?: NamedUser[] | undefined;
    /** Names of the status or priority before and after. */
    from?: string | undefined;
    to?: string | undefined;
    /** Whether the status says that the discussion is resolved. */
    isResolved?: boolean | undefined;
    /** User to whom the annotation is now assigned. */
    assignee?: NamedUser | undefined;
  };
}

/**
 * Queues mails, which are sent after the commit: to each recipient who may read the document and whose email preference
 * lets the event through, if the workspace's email service and the trigger are on. The events of a group make one mail
 * to each recipient. The transaction must have ensured the documents. Runs no statement if mails are off, and otherwise
 * a few for all groups together.
 */
export async function queueMails(
  scope: OrganizationScope<Workspace>,
  jobs: JobQueue,
  groups: MailedEvent[][],
): Promise<void> {
  const { workspace, key } = scope;
  const candidates = groups.flatMap((events, group) =>
    events.filter(({ trigger }) => isMailed(workspace, trigger)).flatMap((event) => toCandidates(event, group)),
  );
  if (candidates.length === 0) return;
  const letThrough = await selectByPreference(scope, candidates);
  const mayRead = await findPermittedUsers(scope, letThrough, "viewer");
  const selected = letThrough.filter((candidate) => mayRead(candidate));
  if (selected.length === 0) return;
  const known = await readKnownUsers(scope, selected.flatMap(getNamedUserIds));
  const getDocumentName = await readDocumentNames(
    scope,
    selected.map(({ documentId }) => documentId),
  );
  const written = selected.flatMap((candidate) => buildMail(candidate, known, getDocumentName(candidate.documentId)));
  const mails = [...Map.groupBy(written, ({ group, userId }) => `${group} ${userId}`).values()].flatMap(inOneMail);
  if (mails.length === 0) return;
  await insertMails(scope, mails);
  const keys = mails.map(({ id }) => ({ organizationKey: key, id }));
  await jobs.send(scope, SEND_MAIL, keys);
}

/** Returns whether the workspace mails events of the trigger. The settings are read again before a mail is sent. */
export function isMailed({ emailTriggers }: Pick<Workspace, "emailTriggers">, trigger: MailTrigger): boolean {
  return emailTriggers.includes(trigger);
}

interface Candidate {
  /** Index of the group. */
  group: number;
  event: MailedEvent;
  documentId: string;
  userId: string;
  isConcerned: boolean;
  recipient: Recipient;
}

function toCandidates(event: MailedEvent, group: number): Candidate[] {
  const { documentId } = event;
  return [...recipientsById(event)].map(([userId, recipient]) => {
    return { group, event, documentId, userId, isConcerned: recipient.isConcerned, recipient };
  });
}

/** Returns the recipient, the acting user and the assignee. */
function getNamedUserIds({ userId, event: { actor, about } }: Candidate): string[] {
  return [userId, actor.userId, ...(about.assignee ? [about.assignee.userId] : [])];
}

/** Returns the address for mails: that of the user's record, else that of the event, if one is valid. */
export function getAddress(...emails: (string | undefined)[]): string | undefined {
  return emails.map((email) => email && trimEmailAddress(email)).find((address) => address);
}

/** Mail about one event, before the events of a group become one mail. */
interface MailDraft extends Omit<NewMail, "record" | "triggers"> {
  group: number;
  content: MailEvent;
}

/** Returns one mail about the events of mails to the same user. */
function inOneMail([first, ...others]: MailDraft[]): NewMail[] {
  if (!first) return [];
  const { group: _, content, ...mail } = first;
  const further = others.map((other) => other.content);
  const otherUserIds = [...new Set([first, ...others].flatMap((written) => written.otherUserIds))];
  const annotationIds = [...new Set([first, ...others].flatMap((written) => written.annotationIds))];
  const record = JSON.stringify(bounded(further.length > 0 ? { ...content, further } : content));
  const triggers = [...new Set([content, ...further].map(({ trigger }) => trigger))];
  return [{ ...mail, otherUserIds, annotationIds, triggers, record }];
}

/** Returns the mail to a candidate; none if there is no address. */
function buildMail(
  { group, event, recipient, documentId, userId }: Candidate,
  known: Awaited<ReturnType<typeof readKnownUsers>>,
  documentName: string,
): MailDraft[] {
  const { trigger, actor, about } = event;
  const own = known(userId);
  const address = getAddress(own.email, recipient.email);
  if (address === undefined) return [];
  const named = (user: NamedUser) => getName(user.userId, user.name, known(user.userId).name);
  const content = {
    annotationId: event.annotationId,
    commentId: event.commentId,
    trigger,
    actor: named(actor),
    recipient: getName(userId, own.name, recipient.name),
    document: documentName,
    updateId: event.updateId,
    text: about.text,
    from: about.from,
    to: about.to,
    isResolved: about.isResolved,
    assignee: about.assignee && named(about.assignee),
    isRecipientAssigned: about.assignee?.userId === userId,
    reason: getReason(event, recipient),
  };
  const others = [actor, ...(about.assignee ? [about.assignee] : []), ...(about.tagged ?? [])];
  const mail = { id: newId(), documentId, userId, address };
  const otherUserIds = [...new Set(others.map((user) => user.userId))];
  return [{ ...mail, group, content, otherUserIds, annotationIds: [event.annotationId] }];
}

/** Returns why the recipient gets the mail. A concerned user who is not tagged is assigned. */
function getReason({ about }: MailedEvent, { userId, isConcerned }: Recipient): Reason {
  if (about.tagged?.some((user) => user.userId === userId)) return "mentioned";
  return isConcerned ? "assigned" : "participant";
}

/** Returns the recipients by ID, except the acting user. A repeated recipient is concerned if one entry says so. */
function recipientsById({ actor, recipients }: MailedEvent): Map<string, Recipient> {
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
