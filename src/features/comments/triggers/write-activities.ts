import type { Workspace } from "../../../contract/operation.ts";
import { withTexts } from "../../../json/record-texts.ts";
import { toActivityRow } from "../../activities/activity-row.ts";
import { addWithEvents } from "../../activities/adding/add-with-events.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type CommentTrigger, MESSAGES, toSource } from "./comment-trigger.ts";

/** Writes the activities of comment triggers that ask for one, while the workspace's activity service is on. */
export async function writeActivities(scope: OrganizationScope<Workspace>, triggers: CommentTrigger[]): Promise<void> {
  const { workspace, organizationId } = scope;
  if (!workspace.activityServiceEnabled) return;
  // A private annotation has none: once it is deleted, nothing would hide them from the users of the document.
  const recorded = triggers.filter(({ triggerActivities, visibilityConfig }) => triggerActivities && !visibilityConfig);
  for (const [documentId, documentTriggers] of Map.groupBy(recorded, (trigger) => trigger.documentId)) {
    const activities = documentTriggers.map((trigger) =>
      toActivityRow(toActivity(trigger), workspace, organizationId, documentId),
    );
    const rows = withTexts(activities);
    await addWithEvents(scope, { documentId, rows });
  }
}

function toActivity(trigger: CommentTrigger) {
  const { actionType, actionUser, annotationId, commentId, changes } = trigger;
  return {
    featureType: "comment" as const,
    actionType,
    actionUser,
    targetEntityId: annotationId,
    ...(commentId !== undefined && { targetSubEntityId: String(commentId) }),
    ...(changes && { changes }),
    entityData: toSource(trigger),
    displayMessageTemplate: `{{user}} ${MESSAGES[actionType]}`,
    displayMessageTemplateData: { user: actionUser },
  };
}
