import type { Workspace } from "../../../contract/operation.ts";
import { isObject } from "../../../json/is-object.ts";
import { withTexts } from "../../../json/record-texts.ts";
import { toActivityRow } from "../../activities/activity-row.ts";
import { addWithEvents } from "../../activities/adding/add-with-events.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type CommentTrigger, isResolved, toSource } from "./comment-trigger.ts";
import { getMessage } from "./messages.ts";

/** Writes the activities of comment triggers that ask for one, while the workspace's activity service is on. */
export async function writeActivities(scope: OrganizationScope<Workspace>, triggers: CommentTrigger[]): Promise<void> {
  const { workspace, organizationId } = scope;
  if (!workspace.activityServiceEnabled) return;
  const recorded = triggers.filter(isRecorded);
  for (const [documentId, documentTriggers] of Map.groupBy(recorded, (trigger) => trigger.documentId)) {
    const activities = documentTriggers.map((trigger) =>
      toActivityRow(toActivity(trigger), workspace, organizationId, documentId),
    );
    const rows = withTexts(activities);
    await addWithEvents(scope, { documentId, rows });
  }
}

type RecordedTrigger = CommentTrigger & { actionType: Exclude<CommentTrigger["actionType"], "comment.update"> };

/**
 * Returns whether a trigger writes an activity. A private annotation has none: once it is deleted, nothing would hide
 * them from the users of the document.
 */
function isRecorded(trigger: CommentTrigger): trigger is RecordedTrigger {
  const { actionType, triggerActivities, visibilityConfig } = trigger;
  return triggerActivities === true && !visibilityConfig && actionType !== "comment.update";
}

/** Returns changes without the email addresses of users, which readers of free-form fields would see. */
function withoutEmails(changes: NonNullable<CommentTrigger["changes"]>): typeof changes {
  const hideEmail = (value: unknown) => {
    if (!isObject(value) || typeof value.userId !== "string") return value;
    const { email: _, ...user } = value;
    return user;
  };
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: hideEmail(from), to: hideEmail(to) }]),
  );
}

function toActivity(trigger: RecordedTrigger) {
  const { actionType, actionUser, annotationId, commentId, changes } = trigger;
  return {
    featureType: "comment" as const,
    actionType,
    actionUser,
    targetEntityId: annotationId,
    ...(commentId !== undefined && { targetSubEntityId: String(commentId) }),
    ...(changes && { changes }),
    entityData: toSource({ ...trigger, changes: changes && withoutEmails(changes) }),
    ...getMessage(isResolved(trigger) ? "activity.comment_annotation.resolve" : `activity.${actionType}`),
    displayMessageTemplateData: { user: actionUser },
  };
}
