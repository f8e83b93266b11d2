import type { Workspace } from "../../../contract/operation.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { readKnownUsers } from "../../mails/known-users.ts";
import { queueMails } from "../../mails/queue-mails.ts";
import { deliverNotifications } from "../../notifications/delivery/deliver-notifications.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { writeDelayedNotifications } from "../delayed/write-delayed-notifications.ts";
import { chooseRecipients } from "./choose-recipients.ts";
import type { CommentEvent } from "./comment-event.ts";
import { toMailedEvents } from "./to-mailed-events.ts";
import { toNotifications } from "./to-notifications.ts";
import { writeActivities } from "./write-activities.ts";

/** Maximum length of a name taken from a user's record: a request with a thousand events writes it as often. */
const MAX_NAME_LENGTH = 256;

/**
 * Writes what comment events trigger, in the transaction of the events: activities, and notifications and mails, which
 * the settings of the workspace may hold back.
 */
export async function runTriggers(
  scope: OrganizationScope<Workspace>,
  jobs: JobQueue,
  given: CommentEvent[],
): Promise<void> {
  const events = await addNames(scope, given);
  await writeActivities(scope, events);
  const { events: notifying, hold } = scope.workspace.commentNotifications;
  const notified = events.filter(({ actionType }) => notifying.includes(actionType));
  if (hold) return writeDelayedNotifications(scope, jobs, hold, notified);
  const chosen = await chooseRecipients(
    scope,
    notified.map((event) => [event]),
  );
  await deliverNotifications(scope, toNotifications(chosen));
  await queueMails(scope, jobs, toMailedEvents(scope.workspace, chosen));
}

/**
 * Adds missing names of acting users from their records, if the event is to be recorded. The name is purged with the
 * user's data. Costs nothing if the caller sends the name.
 */
async function addNames(scope: OrganizationScope<Workspace>, events: CommentEvent[]): Promise<CommentEvent[]> {
  const isUnnamed = (event: CommentEvent) => !event.actionUser.name?.trim() && isRecorded(scope.workspace, event);
  const unnamed = events.filter(isUnnamed).map(({ actionUser }) => actionUser.userId);
  if (unnamed.length === 0) return events;
  const known = await readKnownUsers(scope, unnamed);
  return events.map((event) => {
    const { name } = isUnnamed(event) ? known(event.actionUser.userId) : {};
    if (!name?.trim() || name.length > MAX_NAME_LENGTH) return event;
    return { ...event, actionUser: { ...event.actionUser, name } };
  });
}

/** Returns whether the event may write an activity or a notification. */
function isRecorded({ activityServiceEnabled }: Workspace, event: CommentEvent): boolean {
  return Boolean(event.triggerNotification || (event.triggerActivities && activityServiceEnabled));
}
