import Type, { type Static } from "typebox";
import { withMessageKey } from "../../contract/message-key.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { mergeFields, splitIntoParts } from "../../json/record-texts.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization, openOrganization } from "../tenancy/organization-scope.ts";
import { lockEnabledRecords } from "../tenancy/record-queries.ts";
import { changeableActivityFields } from "./activity.ts";
import { replaceActivityRecords, selectMatchingIds } from "./activity-queries.ts";
import { toActivityEvents } from "./event-log.ts";
import { getActivities } from "./get.ts";
import { rejectChanges } from "./immutable.ts";

const ActivityUpdate = Type.Object({ id: Identifier, ...changeableActivityFields });

const Request = Type.Object({
  organizationId: Identifier,
  activities: Type.Array(ActivityUpdate, { minItems: 1, maxItems: 500 }),
});

/** Replaces each field that is sent as a whole and keeps the rest. An unknown id fails alone. */
export const updateActivities = operation({
  path: "/v2/activities/update",
  summary: "Update activities",
  description:
    "Replaces each field that is sent as a whole, also with `null`, and keeps the others, except that " +
    "`displayMessageTemplate` without `messageKey` removes the key. An ID that does not exist fails alone. " +
    "If the activities of the workspace are immutable, every item fails.",
  message: "Activities updated.",
  scope: "write",
  request: Request,
  returned: {
    by: getActivities,
    field: "activities",
    id: "id",
    request: ({ organizationId }, activityIds) => ({ organizationId, activityIds }),
  },
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    activities: [{ id: "activity-1", displayMessageTemplate: "{{user}} edited a clause", actionIcon: null }],
  },
  handle,
});

async function handle({ database, workspace }: Context, { organizationId, activities }: Static<typeof Request>) {
  const ids = activities.map(({ id }) => id);
  rejectRepeatedIds(ids, "activities", "id");
  if (workspace.activitiesImmutable) {
    const scope = openOrganization(database, workspace, organizationId);
    await requireAccessible(scope);
    return rejectChanges(ids, await selectMatchingIds(scope, { activityIds: ids }));
  }
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    const records = await lockEnabledRecords(scope, "activities", ids);
    const updates = activities.flatMap((fields) => {
      const record = records.get(fields.id);
      return record === undefined
        ? []
        : [{ id: fields.id, record, fields: withMessageKey(fields, fields.displayMessageTemplate) }];
    });
    for (const part of splitIntoParts(updates, ({ record }) => record.length)) {
      const updated = await replaceActivityRecords(scope, mergeFields(part));
      await recordEvents(scope, toActivityEvents("activity.update", updated));
    }
    return records;
  });
  return keyedById(
    activities.map(({ id }) => [
      id,
      found.has(id)
        ? { success: true, message: "Activity updated." }
        : { success: false, message: "Activity not found." },
    ]),
  );
}
