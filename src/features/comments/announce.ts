import type { Queryable } from "../../database/database.ts";
import type { Workspace } from "../../http/operation.ts";
import type { User } from "../../http/schema.ts";
import { toActivityRow } from "../activities/activity-row.ts";
import { addActivityRows } from "../activities/queries.ts";
import { notify } from "../notifications/delivery/notify.ts";
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

interface Place {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
}

/** What the acting user has done. */
const MESSAGES = {
  "comment_annotation.add": "started a discussion",
  "comment.add": "commented",
  "comment_annotation.status_change": "changed the status of a discussion",
  "comment_annotation.assign": "assigned a discussion",
  "comment_annotation.priority_change": "changed the priority of a discussion",
};

/**
 * Writes what the events set off, in the transaction that has made them and entered the place: activity records while
 * the workspace's activity service is on, and notifications as the preferences of those concerned say.
 */
export async function announce(transaction: Queryable, place: Place, events: CommentEvent[]): Promise<void> {
  const recorded = events.filter(({ triggerActivities }) => triggerActivities);
  if (recorded.length > 0 && place.workspace.activityServiceEnabled) await record(transaction, place, recorded);
  for (const event of events) if (event.triggerNotification) await tell(transaction, place, event);
}

async function record(
  transaction: Queryable,
  { workspace, organizationId, documentId }: Place,
  events: CommentEvent[],
): Promise<void> {
  const rows = events.map((event) => {
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
  const call = { organizationKey: key, workspaceId: workspace.id, organizationId, documentId, rows };
  await addActivityRows.run(transaction, [call]);
}

/** Nobody hears of what concerns the acting user alone. */
async function tell(transaction: Queryable, place: Place, event: CommentEvent): Promise<void> {
  const { actionType, actionUser, locationId, commentText = "" } = event;
  const userIds = new Set(event.userIds);
  userIds.delete(actionUser.userId);
  if (userIds.size === 0) return;
  await notify(transaction, place, {
    actionUser,
    ...(locationId !== undefined && { locationId }),
    notifyUsers: [...userIds].map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    notificationSourceData: { actionType, ...sourceOf(event) },
    displayHeadlineMessageTemplate: `{actionUser} ${MESSAGES[actionType]}`,
    displayHeadlineMessageTemplateData: { actionUser },
    displayBodyMessage: commentText,
  });
}

function sourceOf({ annotationId, commentId, commentText, changes }: CommentEvent): object {
  return { annotationId, commentId, commentText, changes };
}
