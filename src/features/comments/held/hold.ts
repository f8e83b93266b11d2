import type { Hold } from "../../../contract/comment-notifications.ts";
import type { User } from "../../../contract/schema.ts";
import { newId } from "../../../database/new-id.ts";
import type { Queryable } from "../../../database/statement.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { DELIVER_HELD_NOTIFICATIONS } from "../../tenancy/deliver-held-notifications.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { mailTriggerOf, recipientsOf } from "../events/deliver.ts";
import type { Announcement, CommentEvent } from "../events/event.ts";
import type { HeldRecord } from "./held-record.ts";
import { insertHeld, type NewHeld } from "./queries.ts";

/** Length in JSON up to which free-form values are stored, since each recipient of an event has a record. */
const MAX_VALUE_LENGTH = 2_048;
const MAX_TEXT_LENGTH = 320;

/** Holds the notifications of events back, and queues the jobs that deliver them. */
export async function hold(transaction: Queryable, jobs: JobQueue, announcements: Announcement[]): Promise<void> {
  const rows = announcements.flatMap(rowsOf);
  if (rows.length === 0) return;
  const times = await insertHeld(transaction, rows);
  const payloads = times.map(({ organizationKey: key }) => ({ organizationKey: key }));
  await jobs.send(
    transaction,
    DELIVER_HELD_NOTIFICATIONS,
    payloads,
    times.map(({ at }) => new Date(at)),
  );
}

function rowsOf(announcement: Announcement): NewHeld[] {
  const { workspace, organizationId, documentId, events } = announcement;
  const settings = workspace.commentNotifications.hold;
  if (!settings) return [];
  const key = organizationKey(workspace.id, organizationId);
  return events.flatMap((event) => {
    const { actionType, actionUser, locationId, changes, assignee, annotationId, commentId = null } = event;
    const triggerNotification = event.triggerNotification === true;
    if (!triggerNotification && !mailTriggerOf(announcement, event)) return [];
    const eventId = newId();
    const shared = {
      ...{ actionType, locationId, triggerNotification, actionUser: boundedUser(actionUser) },
      ...{
        changes: boundedValue(changes),
        assignee: assignee && { userId: assignee.userId, name: boundedText(assignee.name) },
      },
    };
    return [...byUser(event)].map(([userId, recipient]) => ({
      ...{ organizationKey: key, id: newId(), eventId, userId, documentId, annotationId, commentId },
      record: JSON.stringify({ ...shared, recipient } satisfies HeldRecord),
      ...timesOf(settings),
    }));
  });
}

/** Returns the recipients by id, except the acting user. A repeated recipient is concerned if one entry says so. */
function byUser(event: CommentEvent): Map<string, HeldRecord["recipient"]> {
  const recipients = new Map<string, HeldRecord["recipient"]>();
  for (const { userId, isConcerned, name, email } of recipientsOf(event)) {
    if (userId === event.actionUser.userId) continue;
    const known = recipients.get(userId);
    recipients.set(userId, {
      isConcerned: isConcerned || known?.isConcerned === true,
      name: known?.name ?? boundedText(name),
      email: known?.email ?? boundedText(email),
    });
  }
  return recipients;
}

/** Returns the delay and the windows. The window that ends first sets when a notification is due. */
function timesOf({ delaySeconds, document, user }: Hold) {
  const [documentSeconds, userSeconds] = [document?.seconds ?? Infinity, user?.seconds ?? Infinity];
  const windowSeconds = document || user ? Math.min(documentSeconds, userSeconds) : 0;
  return {
    ...{ delayMs: delaySeconds * 1000, windowMs: windowSeconds * 1000 },
    isUserDue: user !== undefined && userSeconds <= documentSeconds,
    ...{ documentMax: document?.maxActivities ?? null, userMax: user?.maxActivities ?? null },
  };
}

function boundedUser(user: User): User {
  if (JSON.stringify(user).length <= MAX_VALUE_LENGTH) return user;
  const [name, email] = [boundedText(user.name), boundedText(user.email)];
  return { userId: user.userId, ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}

function boundedValue<Value>(value: Value | undefined): Value | undefined {
  return value !== undefined && JSON.stringify(value).length <= MAX_VALUE_LENGTH ? value : undefined;
}

function boundedText(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= MAX_TEXT_LENGTH ? text : undefined;
}
