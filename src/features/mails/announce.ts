import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../../database/database.ts";
import { isEmailAddress } from "../../email/address.ts";
import { bounded, type Trigger } from "../../email/templates.ts";
import type { Workspace } from "../../http/operation.ts";
import type { JobQueue } from "../../jobs/jobs.ts";
import { settingsOf } from "../email-config/email-config.ts";
import { selectEmailConfig } from "../email-config/queries.ts";
import { organizationKey } from "../organizations/organization-key.ts";
import { insertMails, type NewMail, selectReadiness } from "./queries.ts";
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
  /** Who did it: gets no mail of it. */
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
 * says of the inbox. The transaction must have entered the place. Costs one statement where mails are off.
 */
export async function announceByMail(
  transaction: Queryable,
  jobs: JobQueue,
  announcement: Announcement,
): Promise<void> {
  const { workspace, organizationId, documentId, trigger, actor, about } = announcement;
  const recipients = recipientsOf(announcement);
  if (recipients.size === 0) return;
  const { useEmailService, triggers } = settingsOf(await selectEmailConfig(transaction, workspace.id));
  if (!useEmailService || !Object.hasOwn(triggers, trigger) || triggers[trigger] !== true) return;

  const key = organizationKey(workspace.id, organizationId);
  const { document, ready } = await selectReadiness(transaction, key, documentId, [...recipients.values()]);
  const people = [actor, ...(about.assignee ? [about.assignee] : []), ...(about.mentions ?? [])];
  const mails = ready.flatMap(({ userId, record }): NewMail[] => {
    const given = recipients.get(userId);
    const known = fieldsOf(record);
    const address = [textOf(known.email), given?.email].find((text) => text !== undefined && isEmailAddress(text));
    if (address === undefined) return [];
    const event = bounded({
      trigger,
      actor: nameOf(actor),
      recipient: nameOf({ userId, name: textOf(known.name) || given?.name }),
      document: textOf(fieldsOf(document).documentName) || documentId,
      text: about.text,
      from: about.from,
      to: about.to,
      assignee: about.assignee && nameOf(about.assignee),
      isRecipientAssigned: about.assignee?.userId === userId,
    });
    return [{ id: uuidv7(), userId, address, record: JSON.stringify(event) }];
  });
  if (mails.length === 0) return;
  const place = { organizationKey: key, workspaceId: workspace.id, documentId };
  await insertMails(transaction, { ...place, people: [...new Set(people.map(({ userId }) => userId))] }, mails);
  await jobs.send(
    transaction,
    SEND_MAIL,
    mails.map(({ id }) => ({ organizationKey: key, id })),
  );
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

function nameOf({ userId, name }: Person): string {
  return name?.trim() ? name : userId;
}

/** Of the JSON text of a record, or of none. */
function fieldsOf(record: string | null): { [field: string]: unknown } {
  return record === null ? {} : JSON.parse(record);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
