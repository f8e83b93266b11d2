import type { Workspace } from "../../../contract/operation.ts";
import type { Queryable } from "../../../database/statement.ts";
import type { Trigger } from "../../../email/templates.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { withTexts } from "../../../json/record-texts.ts";
import { toActivityRow } from "../../activities/activity-row.ts";
import { type AddCall, addActivityRows } from "../../activities/adding/queries.ts";
import { eventsOfAdding } from "../../activities/event-log.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { isMailed } from "../../mails/announce.ts";
import { readKnownUsers } from "../../mails/known-users.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { hold } from "../held/hold.ts";
import { deliver } from "./deliver.ts";
import { type Announcement, type CommentEvent, MESSAGES, sourceOf } from "./event.ts";

/** Maximum length of a name taken from a user's record: a request with a thousand events writes it as often. */
const MAX_NAME_LENGTH = 256;

/**
 * Writes what the events trigger, in the transaction of the events: activity records while the workspace's activity
 * service is on, and notifications and mails, which the settings of the workspace may hold back.
 */
export async function announce(transaction: Queryable, jobs: JobQueue, given: Announcement[]): Promise<void> {
  const announcements = await withNames(transaction, given);
  const activities = await Promise.all(announcements.map(activitiesOf));
  const calls = activities.filter(({ rows }) => rows.length > 0);
  for (const call of calls) await transaction.run(addActivityRows(call));
  for (const [index, { workspace }] of announcements.entries()) {
    await recordEvents(transaction, workspace, () => activities.slice(index, index + 1).flatMap(eventsOfAdding));
  }
  const notifying = announcements.map(withoutSilenced);
  await deliver(
    transaction,
    jobs,
    notifying.filter((announcement) => !isHeld(announcement)),
  );
  await hold(transaction, jobs, notifying.filter(isHeld));
}

/** Leaves out the events that the workspace's settings let notify nobody. */
function withoutSilenced(announcement: Announcement): Announcement {
  const { events } = announcement.workspace.commentNotifications;
  return { ...announcement, events: announcement.events.filter(({ actionType }) => events.includes(actionType)) };
}

function isHeld({ workspace }: Announcement): boolean {
  return workspace.commentNotifications.hold !== undefined;
}

/**
 * Adds missing names of acting users from their records, if the event is to be recorded. The name is purged with the
 * user's data. Costs nothing if the caller sends the name.
 */
async function withNames(transaction: Queryable, announcements: Announcement[]): Promise<Announcement[]> {
  const unnamed = announcements.flatMap((announcement) => {
    const key = organizationKey(announcement.workspace.id, announcement.organizationId);
    const events = announcement.events.filter((event) => isUnnamed(event) && isRecorded(announcement, event));
    return events.map(({ actionUser: { userId } }) => ({ organizationKey: key, userId }));
  });
  if (unnamed.length === 0) return announcements;
  const known = await readKnownUsers(transaction, unnamed);
  return announcements.map((announcement) => {
    const key = organizationKey(announcement.workspace.id, announcement.organizationId);
    const events = announcement.events.map((event) => {
      const { name } = isUnnamed(event) ? known(key, event.actionUser.userId) : {};
      if (!name?.trim() || name.length > MAX_NAME_LENGTH) return event;
      return { ...event, actionUser: { ...event.actionUser, name } };
    });
    return { ...announcement, events };
  });
}

function isUnnamed({ actionUser }: CommentEvent): boolean {
  return !actionUser.name?.trim();
}

/** Returns whether the event may write an activity or a notification. */
function isRecorded({ workspace }: Announcement, event: CommentEvent): boolean {
  return Boolean(event.triggerNotification || (event.triggerActivities && workspace.activityServiceEnabled));
}

/** Returns whether the workspace mails any of these triggers, independent of the request. */
export function isAnyMailed(workspace: Workspace, triggers: readonly Trigger[]): boolean {
  return triggers.some((trigger) => isMailed({ workspace, trigger }));
}

async function activitiesOf({ workspace, organizationId, documentId, events }: Announcement): Promise<AddCall> {
  // A private annotation has none: once it is deleted, nothing would hide them from the users of the document.
  const recorded = events.filter(
    ({ triggerActivities, visibilityConfig }) =>
      triggerActivities && workspace.activityServiceEnabled && !visibilityConfig,
  );
  const rows = recorded.map((event) => {
    const { actionType, actionUser, annotationId, commentId, changes } = event;
    const activity = {
      featureType: "comment" as const,
      actionType,
      actionUser,
      targetEntityId: annotationId,
      ...(commentId !== undefined && { targetSubEntityId: String(commentId) }),
      ...(changes && { changes }),
      entityData: sourceOf(event),
      displayMessageTemplate: `{{user}} ${MESSAGES[actionType]}`,
      displayMessageTemplateData: { user: actionUser },
    };
    return toActivityRow(activity, workspace, organizationId, documentId);
  });
  const key = organizationKey(workspace.id, organizationId);
  return { organizationKey: key, workspaceId: workspace.id, organizationId, documentId, rows: await withTexts(rows) };
}
