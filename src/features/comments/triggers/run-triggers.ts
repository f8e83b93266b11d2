import type { Workspace } from "../../../contract/operation.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { readKnownUsers } from "../../mails/known-users.ts";
import { queueMails } from "../../mails/queue-mails.ts";
import { deliverNotifications } from "../../notifications/delivery/deliver-notifications.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { writeDelayedNotifications } from "../delayed/write-delayed-notifications.ts";
import { chooseRecipients } from "./choose-recipients.ts";
import type { CommentTrigger } from "./comment-trigger.ts";
import { groupByUpdate } from "./group-by-update.ts";
import { toMailedEvents } from "./to-mailed-events.ts";
import { toNotifications } from "./to-notifications.ts";
import { writeActivities } from "./write-activities.ts";

/** Maximum length of a name taken from a user's record: a request with a thousand triggers writes it as often. */
const MAX_NAME_LENGTH = 256;

/**
 * Writes what the triggers cause, in the transaction of the change: activities, notifications and mails. The settings
 * of the workspace may delay notifications and mails.
 */
export async function runTriggers(
  scope: InTransaction<OrganizationScope<Workspace>>,
  jobs: JobQueue,
  given: CommentTrigger[],
): Promise<void> {
  const triggers = await addNames(scope, given);
  await writeActivities(scope, triggers);
  const { events: notifying, deliverySettings } = scope.workspace.commentNotifications;
  const notified = triggers.filter(({ actionType }) => notifying.includes(actionType));
  if (deliverySettings) return writeDelayedNotifications(scope, jobs, deliverySettings, notified);
  const chosen = await chooseRecipients(scope, groupByUpdate(notified));
  await deliverNotifications(scope, await toNotifications(scope, chosen));
  await queueMails(scope, jobs, toMailedEvents(scope.workspace, chosen));
}

/**
 * Adds missing names of acting users from their records, if an activity or notification shows them. The name is purged
 * with the user's data. Runs no statement if the caller sends the names.
 */
async function addNames(scope: OrganizationScope<Workspace>, triggers: CommentTrigger[]): Promise<CommentTrigger[]> {
  const isUnnamed = (trigger: CommentTrigger) => !trigger.actionUser.name?.trim() && mayWrite(scope.workspace, trigger);
  const unnamed = triggers.filter(isUnnamed).map(({ actionUser }) => actionUser.userId);
  if (unnamed.length === 0) return triggers;
  const known = await readKnownUsers(scope, unnamed);
  return triggers.map((trigger) => {
    const { name } = isUnnamed(trigger) ? known(trigger.actionUser.userId) : {};
    if (!name?.trim() || name.length > MAX_NAME_LENGTH) return trigger;
    return { ...trigger, actionUser: { ...trigger.actionUser, name } };
  });
}

/** Returns whether the trigger may write an activity or a notification. */
function mayWrite({ activityServiceEnabled }: Workspace, trigger: CommentTrigger): boolean {
  return Boolean(trigger.triggerNotification || (trigger.triggerActivities && activityServiceEnabled));
}
