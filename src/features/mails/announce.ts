import { v7 as uuidv7 } from "uuid";
import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/database.ts";
import { isEmailAddress } from "../../email/address.ts";
import { bounded, type Reason, type Trigger } from "../../email/templates.ts";
import type { JobQueue } from "../../jobs/jobs.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { nameOf, readKnownPeople } from "./known-people.ts";
import { insertMails, type NewMail, selectDocumentRecords, selectReady } from "./queries.ts";
import { SEND_MAIL } from "./send-mail.ts";

/** Somebody whom a mail speaks of. */
interface Person {
  /** An Identifier, as every id here. */
  userId: string;
  name?: string | undefined;
}

export interface Announcement {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
  trigger: Trigger;
  /** Who did it: gets no mail of it. The user's record names the actor and the assignee where it is not said here. */
  actor: Person;
  /**
   * Who may hear of it. `isConcerned`: tagged or assigned, which the preference MINE asks for. The name and the address
   * are those of the user's record; `name` and `email` stand in where it has none. Without an address there is no mail.
   */
  recipients: (Person & { isConcerned: boolean; email?: string | undefined })[];
  about: {
    /** What was written. */
    text?: string | undefined;
    /** Those whom the text names: with their data these mails are found and deleted. */
    mentions?: Person[] | undefined;
    /** The names of a status or a priority, before and after. */
    from?: string | undefined;
    to?: string | undefined;
    /** To whom it is assigned now. */
    assignee?: Person | undefined;
  };
}

/**
 * Queues a mail to each recipient who wants one, to be sent when `transaction` is committed: where the workspace uses
 * its email service, the trigger is on, and the user's preference for email lets it through as docs/notifications.md
 * says of the inbox. The transaction must have entered the places. Costs nothing where mails are off, and otherwise a
 * few statements for all announcements together.
 */
export async function announceByMail(
  transaction: Queryable,
  jobs: JobQueue,
  announcements: Announcement[],
): Promise<void> {
  const candidates = announcements.filter(isMailed).flatMap(candidatesOf);
  if (candidates.length === 0) return;
  const ready = await selectReady(transaction, candidates);
  if (ready.length === 0) return;
  const known = await readKnownPeople(transaction, ready.flatMap(peopleOf));
  const documentRecords = await selectDocumentRecords(transaction, ready);
  const mails = ready.flatMap((candidate, index) => mailOf(candidate, known, documentNameOf(documentRecords[index])));
  if (mails.length === 0) return;
  await insertMails(transaction, mails);
  const keys = mails.map(({ organizationKey: key, id }) => ({ organizationKey: key, id }));
  await jobs.send(transaction, SEND_MAIL, keys);
}

/** As of when the caller's workspace was read; what is off by the time of sending is not sent. */
export function isMailed({ workspace, trigger }: Pick<Announcement, "workspace" | "trigger">): boolean {
  return workspace.emailTriggers.includes(trigger);
}

interface Candidate {
  announcement: Announcement;
  organizationKey: string;
  documentId: string;
  userId: string;
  isConcerned: boolean;
  recipient: Announcement["recipients"][number];
}

function candidatesOf(announcement: Announcement): Candidate[] {
  const { workspace, organizationId, documentId } = announcement;
  const key = organizationKey(workspace.id, organizationId);
  return [...recipientsOf(announcement)].map(([userId, recipient]) => {
    return { announcement, organizationKey: key, documentId, userId, isConcerned: recipient.isConcerned, recipient };
  });
}

/** The recipient, and those whom the mail names as they act or are assigned. */
function peopleOf({ organizationKey: key, userId, announcement: { actor, about } }: Candidate) {
  const userIds = [userId, actor.userId, ...(about.assignee ? [about.assignee.userId] : [])];
  return userIds.map((id) => ({ organizationKey: key, userId: id }));
}

/** None without an address. */
function mailOf(
  { announcement, recipient, ...place }: Candidate,
  known: Awaited<ReturnType<typeof readKnownPeople>>,
  documentName: string | undefined,
): NewMail[] {
  const { workspace, trigger, actor, about } = announcement;
  const { organizationKey: key, documentId, userId } = place;
  const own = known(key, userId);
  const address = [own.email, recipient.email].find((text) => text !== undefined && isEmailAddress(text));
  if (address === undefined) return [];
  const named = (person: Person) => nameOf(person.userId, person.name, known(key, person.userId).name);
  const event = bounded({
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
  });
  const people = [actor, ...(about.assignee ? [about.assignee] : []), ...(about.mentions ?? [])];
  const mail = { id: uuidv7(), organizationKey: key, workspaceId: workspace.id, documentId, userId, address };
  return [{ ...mail, people: [...new Set(people.map((person) => person.userId))], record: JSON.stringify(event) }];
}

/** Who is concerned is mentioned or assigned. */
function reasonOf({ about }: Announcement, { userId, isConcerned }: Announcement["recipients"][number]): Reason {
  if (about.mentions?.some((person) => person.userId === userId)) return "mentioned";
  return isConcerned ? "assigned" : "participant";
}

/** By id, in the order of the ids; who is given twice is concerned when one of them says so. */
function recipientsOf({ actor, recipients }: Announcement): Map<string, Announcement["recipients"][number]> {
  const byId = new Map<string, Announcement["recipients"][number]>();
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

/** Of the JSON text of a record, or of none. */
function documentNameOf(record: string | null | undefined): string | undefined {
  const { documentName }: { documentName?: unknown } = typeof record === "string" ? JSON.parse(record) : {};
  return typeof documentName === "string" ? documentName : undefined;
}
