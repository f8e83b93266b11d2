import Type, { type Static } from "typebox";
import { invalidFields, ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult } from "../../contract/schema.ts";
import { withTexts } from "../../json/record-texts.ts";
import { hasListeners } from "../event-log/record-events.ts";
import { ensureDocumentAndWrite } from "../implicit-creation/ensure-document.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { inOrganization, openOrganization } from "../tenancy/organization-scope.ts";
import { NewActivity } from "./activity.ts";
import { toActivityRow } from "./activity-row.ts";
import { type AddCall, addActivityRows, addActivityRowsAndEvents } from "./adding/add-activities-queries.ts";
import { addWithEvents } from "./adding/add-with-events.ts";
import { getActivities } from "./get.ts";
import { addWithoutOverwriting } from "./immutable.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  activities: Type.Array(NewActivity, { minItems: 1, maxItems: 500 }),
});

/** Adds activity records, all or none. Overwrites a record whose id exists, so a call can be retried. */
export const addActivities = operation({
  path: "/v2/activities/add",
  summary: "Add activities",
  description:
    "Adds all activities or none. An activity whose `id` exists in the organization is overwritten and keeps its " +
    "`timestamp`, so the request can be repeated. `timestamp` imports history: the activity takes its place in the " +
    "feed by it. `targetEntityId` is required if `featureType` is `custom`.\n\nIf the " +
    "activities of the workspace are immutable (`/v2/workspace/activityconfig/update`), none is overwritten: adding " +
    "an identical activity again succeeds, adding a different one under the same `id` is ALREADY_EXISTS.",
  message: "Activities added.",
  scope: "write",
  request: Request,
  returned: {
    by: getActivities,
    field: "activities",
    id: "id",
    request: ({ organizationId }, activityIds) => ({ organizationId, activityIds }),
  },
  response: ItemResult,
  errors: ["ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    activities: [
      {
        featureType: "custom",
        actionType: "clause.edit",
        actionUser: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
        targetEntityId: "clause-3",
        changes: { title: { from: "Payment", to: "Terms of payment" } },
        displayMessageTemplate: "{{user}} renamed a clause",
        displayMessageTemplateData: { user: { userId: "ada", name: "Ada Lovelace" } },
      },
    ],
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, activities }: Static<typeof Request>,
) {
  if (!workspace.activityServiceEnabled) {
    throw new ServiceError(
      "activity_service_disabled",
      "The activity service of this workspace is off. Enable it in the console's settings, with " +
        "`colloquy activity enable` or by /v2/workspace/activityconfig/update.",
    );
  }
  rejectMissingTargets(activities);
  rejectRepeatedIds(
    activities.map(({ id }) => id),
    "activities",
    "id",
  );
  const call: AddCall = {
    documentId,
    rows: withTexts(activities.map((activity) => toActivityRow(activity, workspace, organizationId, documentId))),
  };
  const mayOverwrite = call.rows.some(({ isNew }) => !isNew);
  if (workspace.activitiesImmutable && mayOverwrite) {
    await addWithoutOverwriting(database, workspace, organizationId, call);
  } else {
    const add = hasListeners(workspace) ? addActivityRowsAndEvents : addActivityRows;
    const { block, isAdded } = await add(openOrganization(database, workspace, organizationId), call);
    assertAccessible(block, organizationId);
    if (!isAdded) {
      await inOrganization(database, workspace, organizationId, (scope) =>
        ensureDocumentAndWrite(scope, documentId, () => addWithEvents(scope, call)),
      );
    }
  }
  return { success: true, message: countedMessage(activities.length) };
}

function rejectMissingTargets(activities: NewActivity[]): void {
  const [first, ...others] = activities.flatMap(({ featureType, targetEntityId }, index) => {
    const isMissing = featureType === "custom" && targetEntityId === undefined;
    const path = `data.activities[${index}].targetEntityId`;
    return isMissing ? [{ path, message: "is required if featureType is custom" }] : [];
  });
  if (first) throw invalidFields(first, ...others);
}

function countedMessage(count: number): string {
  return count === 1 ? "1 activity added." : `${count} activities added.`;
}
