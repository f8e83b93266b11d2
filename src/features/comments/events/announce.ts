import { withTexts } from "../../../contract/json-text.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { User } from "../../../contract/schema.ts";
import type { Queryable } from "../../../database/statement.ts";
import { TRIGGERS, type Trigger } from "../../../email/templates.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { toActivityRow } from "../../activities/activity-row.ts";
import { type AddCall, addActivityRows } from "../../activities/adding/queries.ts";
import { announceByMail, isMailed, type MailAnnouncement } from "../../mails/announce.ts";
import { readKnownUsers } from "../../mails/known-users.ts";
import { type NotifyCall, notify } from "../../notifications/delivery/notify.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

interface NamedUser {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

interface Change {
  from: unknown;
  to: unknown;
}

/** An event of an annotation and the users it concerns. */
export interface CommentEvent {
  actionType: keyof typeof MESSAGES;
  actionUser: User;
  annotationId: string;
  locationId?: string | undefined;
  commentId?: number | undefined;
  commentText?: string | undefined;
  changes?: { [field: string]: Change };
  /** Users tagged or assigned, with their known fields. May contain the acting user. */
  concerned: NamedUser[];
  /** Participants before the event. May contain the acting user. */
  participants: Iterable<string>;
  /** Users tagged in the text. */
  tagged?: NamedUser[] | undefined;
  /** User to whom the annotation is now assigned. */
  assignee?: NamedUser | undefined;
  triggerActivities?: boolean | undefined;
  triggerNotification?: boolean | undefined;
}

/** Events in one document. */
export interface Announcement {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
  events: CommentEvent[];
}

/** Maximum length of a name taken from a user's record: a request with a thousand events writes it as often. */
const MAX_NAME_LENGTH = 256;

/** Descriptions of what the acting user did, by trigger. */
const MESSAGES = {
  "comment_annotation.add": "started a discussion",
  "comment.add": "commented",
  "comment.update": "tagged you in a comment",
  "comment_annotation.status_change": "changed the status of a discussion",
  "comment_annotation.assign": "assigned a discussion",
  "comment_annotation.priority_change": "changed the priority of a discussion",
};

/**
 * Writes what the events trigger, in the transaction of the events: activity records while the workspace's activity
 * service is on, and notifications and mails according to the recipients' preferences.
 */
export async function announce(transaction: Queryable, jobs: JobQueue, given: Announcement[]): Promise<void> {
  const announcements = await withNames(transaction, given);
  const calls = (await Promise.all(announcements.map(activitiesOf))).filter(({ rows }) => rows.length > 0);
  if (calls.length > 0) await transaction.run(addActivityRows.all(calls));
  await notify(transaction, announcements.flatMap(notificationsOf));
  await announceByMail(transaction, jobs, announcements.flatMap(mailsOf));
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
  const recorded = events.filter(({ triggerActivities }) => triggerActivities && workspace.activityServiceEnabled);
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

/** Returns the notifications of the events, none for events that concern only the acting user. */
function notificationsOf({ events, ...destination }: Announcement): NotifyCall[] {
  return events.flatMap((event) => {
    const { actionType, actionUser, locationId, commentText = "" } = event;
    const isNotified = event.triggerNotification && notifies(destination.workspace, actionType);
    const userIds = new Set(isNotified ? idsOf(event) : []);
    userIds.delete(actionUser.userId);
    if (userIds.size === 0) return [];
    const notification = {
      actionUser,
      ...(locationId !== undefined && { locationId }),
      notifyUsers: [...userIds].map((userId) => ({ userId })),
      notifyAll: false,
      notificationSource: "comment",
      notificationSourceData: { actionType, ...sourceOf(event) },
      displayHeadlineMessageTemplate: `{actionUser} ${MESSAGES[actionType]}`,
      displayHeadlineMessageTemplateData: { actionUser },
      displayBodyMessage: commentText,
    };
    return [{ ...destination, notification }];
  });
}

/** Returns whether the workspace's settings let an event notify anybody. */
function notifies({ commentNotifications }: Workspace, actionType: keyof typeof MESSAGES): boolean {
  return commentNotifications.events.includes(actionType);
}

function idsOf({ concerned, participants }: CommentEvent): string[] {
  return [...concerned.map(({ userId }) => userId), ...participants];
}

function mailsOf({ events, ...document }: Announcement): MailAnnouncement[] {
  return events.flatMap((event) => {
    const { actionType, actionUser: actor, concerned, participants, tagged, assignee } = event;
    const trigger = TRIGGERS.find((name) => name === actionType);
    if (!trigger || !isMailed({ ...document, trigger }) || !notifies(document.workspace, trigger)) return [];
    const recipients = [
      ...concerned.map((user) => ({ ...user, isConcerned: true })),
      ...[...participants].map((userId) => ({ userId, isConcerned: false })),
    ];
    const change = event.changes?.status ?? event.changes?.priority;
    const about = { text: event.commentText, tagged, from: labelOf(change?.from), to: labelOf(change?.to), assignee };
    return [{ ...document, trigger, actor, recipients, about }];
  });
}

/** Returns the label of a status or priority, which is a text, a number or an object with a name or an id. */
function labelOf(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { name, id }: { name?: unknown; id?: unknown } = value;
  return labelOf(typeof name === "object" ? undefined : name) ?? (typeof id === "object" ? undefined : labelOf(id));
}

function sourceOf({ annotationId, commentId, commentText, changes }: CommentEvent): object {
  return { annotationId, commentId, commentText, changes };
}
