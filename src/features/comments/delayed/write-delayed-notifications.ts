import type { DeliverySettings } from "../../../contract/comment-notifications.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { User } from "../../../contract/schema.ts";
import { newId } from "../../../database/new-id.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../../tenancy/deliver-delayed-notifications.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { CommentTrigger } from "../triggers/comment-trigger.ts";
import { groupByUpdate } from "../triggers/group-by-update.ts";
import { getMailTrigger, getRecipients } from "../triggers/to-mailed-events.ts";
import { insertDelayed, type NewDelayed } from "./delayed-notification-queries.ts";
import type { DelayedRecord } from "./delayed-record.ts";

/** Length in JSON up to which free-form values are stored, since each recipient of a trigger has a record. */
const MAX_VALUE_LENGTH = 2_048;
const MAX_TEXT_LENGTH = 320;

/** Writes the notifications of triggers that the workspace delays, and queues the jobs that deliver them. */
export async function writeDelayedNotifications(
  scope: OrganizationScope<Workspace>,
  jobs: JobQueue,
  deliverySettings: DeliverySettings,
  triggers: CommentTrigger[],
): Promise<void> {
  const rows = groupByUpdate(triggers).flatMap((update) => {
    const eventId = newId();
    return update.flatMap((trigger) => toRows(scope.workspace, deliverySettings, trigger, eventId));
  });
  if (rows.length === 0) return;
  const times = await insertDelayed(scope, rows);
  const payloads = times.map(() => ({ organizationKey: scope.key }));
  const startTimes = times.map((at) => new Date(at));
  await jobs.send(scope, DELIVER_DELAYED_NOTIFICATIONS, payloads, startTimes);
}

/** Returns a row for each recipient of the trigger. The changes of one update are one event. */
function toRows(
  workspace: Workspace,
  deliverySettings: DeliverySettings,
  trigger: CommentTrigger,
  eventId: string,
): NewDelayed[] {
  const { documentId, annotationId, commentId = null, actionType, actionUser, locationId, changes, assignee } = trigger;
  const triggerNotification = trigger.triggerNotification === true;
  if (!triggerNotification && !getMailTrigger(workspace, trigger)) return [];
  const shared = {
    ...{ actionType, locationId, triggerNotification, actionUser: boundedUser(actionUser) },
    changes: boundedValue(changes),
    assignee: assignee && { userId: assignee.userId, name: boundedText(assignee.name) },
  };
  return [...byUser(trigger)].map(([userId, recipient]) => ({
    ...{ id: newId(), eventId, userId, documentId, annotationId, commentId },
    record: JSON.stringify({ ...shared, recipient } satisfies DelayedRecord),
    ...getTimes(deliverySettings),
  }));
}

/** Returns the recipients by ID, except the acting user. A repeated recipient is concerned if one entry says so. */
function byUser(trigger: CommentTrigger): Map<string, DelayedRecord["recipient"]> {
  const recipients = new Map<string, DelayedRecord["recipient"]>();
  for (const { userId, isConcerned, name, email } of getRecipients(trigger)) {
    if (userId === trigger.actionUser.userId) continue;
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
function getTimes({ delaySeconds, document, user }: DeliverySettings) {
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
