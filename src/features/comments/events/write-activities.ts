import type { Workspace } from "../../../contract/operation.ts";
import { withTexts } from "../../../json/record-texts.ts";
import { toActivityRow } from "../../activities/activity-row.ts";
import { addWithEvents } from "../../activities/adding/add-with-events.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type CommentEvent, MESSAGES, toSource } from "./comment-event.ts";

/** Writes the activities of comment events that trigger one, while the workspace's activity service is on. */
export async function writeActivities(scope: OrganizationScope<Workspace>, events: CommentEvent[]): Promise<void> {
  const { workspace, organizationId } = scope;
  if (!workspace.activityServiceEnabled) return;
  // A private annotation has none: once it is deleted, nothing would hide them from the users of the document.
  const recorded = events.filter(({ triggerActivities, visibilityConfig }) => triggerActivities && !visibilityConfig);
  for (const [documentId, ofDocument] of Map.groupBy(recorded, (event) => event.documentId)) {
    const activities = ofDocument.map((event) =>
      toActivityRow(toActivity(event), workspace, organizationId, documentId),
    );
    const rows = withTexts(activities);
    await addWithEvents(scope, { documentId, rows });
  }
}

function toActivity(event: CommentEvent) {
  const { actionType, actionUser, annotationId, commentId, changes } = event;
  return {
    featureType: "comment" as const,
    actionType,
    actionUser,
    targetEntityId: annotationId,
    ...(commentId !== undefined && { targetSubEntityId: String(commentId) }),
    ...(changes && { changes }),
    entityData: toSource(event),
    displayMessageTemplate: `{{user}} ${MESSAGES[actionType]}`,
    displayMessageTemplateData: { user: actionUser },
  };
}
