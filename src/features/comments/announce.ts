import type { Queryable } from "../../database/database.ts";
import type { Workspace } from "../../http/operation.ts";
import type { User } from "../../http/schema.ts";
import { toActivityRow } from "../activities/activity-row.ts";
import { type AddCall, addActivityRows } from "../activities/queries.ts";
import { type Delivery, notify } from "../notifications/delivery/notify.ts";
import { organizationKey } from "../organizations/organization-key.ts";

/** What has happened to an annotation, and who should hear of it. */
export interface CommentEvent {
  actionType: keyof typeof MESSAGES;
  actionUser: User;
  annotationId: string;
  locationId?: string | undefined;
  commentId?: number | undefined;
  commentText?: string | undefined;
  changes?: { [field: string]: { from: unknown; to: unknown } };
  /** Tagged, assigned, earlier participants; the acting user among them is left out. */
  userIds: Iterable<string>;
  triggerActivities?: boolean | undefined;
  triggerNotification?: boolean | undefined;
}

/** What has happened in one document. */
export interface Announcement {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
  events: CommentEvent[];
}

/** What the acting user has done. */
const MESSAGES = {
  "comment_annotation.add": "started a discussion",
  "comment.add": "commented",
  "comment.update": "tagged you in a comment",
  "comment_annotation.status_change": "changed the status of a discussion",
  "comment_annotation.assign": "assigned a discussion",
  "comment_annotation.priority_change": "changed the priority of a discussion",
};

/**
 * Writes what the events set off, in the transaction that has made them and found the places open: activity records
 * while the workspace's activity service is on, and notifications as the preferences of those concerned say.
 */
export async function announce(transaction: Queryable, announcements: Announcement[]): Promise<void> {
  const calls = announcements.map(activitiesOf).filter(({ rows }) => rows.length > 0);
  if (calls.length > 0) await addActivityRows.run(transaction, calls);
  await notify(transaction, announcements.flatMap(notificationsOf));
}

function activitiesOf({ workspace, organizationId, documentId, events }: Announcement): AddCall {
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
  return { organizationKey: key, workspaceId: workspace.id, organizationId, documentId, rows };
}

/** Nobody hears of what concerns the acting user alone. */
function notificationsOf({ events, ...destination }: Announcement): Delivery[] {
  return events.flatMap((event) => {
    const { actionType, actionUser, locationId, commentText = "" } = event;
    const userIds = new Set(event.triggerNotification ? event.userIds : []);
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

function sourceOf({ annotationId, commentId, commentText, changes }: CommentEvent): object {
  return { annotationId, commentId, commentText, changes };
}
