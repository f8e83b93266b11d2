import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization, openOrganization } from "../tenancy/organization-scope.ts";
import { deleteMatchingActivities, selectMatchingIds } from "./activity-queries.ts";
import { toActivityEvents } from "./event-log.ts";
import { rejectChanges } from "./immutable.ts";

const DeleteRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    activityIds: Type.Optional(Identifiers),
    targetEntityId: Type.Optional(Identifier),
  }),
  (request) => Boolean(request.documentId ?? request.targetEntityId ?? request.activityIds),
  () => "must have at least one of documentId, targetEntityId, activityIds",
);

/**
 * Deletes activities that match every filter. Returns a result for each requested ID or, if none were sent, for each
 * deleted activity.
 */
export const deleteActivities = operation({
  path: "/v2/activities/delete",
  summary: "Delete activities",
  description:
    "Deletes the activities that match all fields sent, at least one of `documentId`, `targetEntityId` and " +
    "`activityIds`. With `activityIds` the response has an item for each of these IDs, otherwise one for each " +
    "deleted activity (the first 50,000). If the activities of the workspace are immutable, nothing is deleted " +
    "and each of these items fails.",
  message: "Activities deleted.",
  scope: "write",
  request: DeleteRequest,
  deletes: ["activityIds", "targetEntityId", "documentId"],
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", activityIds: ["activity-1", "activity-2"] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, activityIds, documentId, targetEntityId }: Static<typeof DeleteRequest>,
) {
  if (workspace.activitiesImmutable) {
    const scope = openOrganization(database, workspace, organizationId);
    await requireAccessible(scope, documentId);
    const matching = await selectMatchingIds(scope, { activityIds, documentId, targetEntityId });
    return rejectChanges(activityIds ?? matching, matching);
  }
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    return deleteMatchingActivities(scope, { activityIds, documentId, targetEntityId }, (activities) =>
      recordEvents(scope, toActivityEvents("activity.delete", activities)),
    );
  });
  return keyedById(
    [...(activityIds ?? deleted)].map((id) => [
      id,
      deleted.has(id)
        ? { success: true, message: "Activity deleted." }
        : { success: false, message: "Activity not found." },
    ]),
  );
}
