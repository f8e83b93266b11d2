import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { NewActivity } from "../activities/activity.ts";
import { addActivities } from "../activities/add.ts";
import { getActivities } from "../activities/get.ts";
import { importKind, type Outcome, parentIdsIn } from "./import-kind.ts";

/** Activities with their times. */
export const activities = importKind({
  belongsTo: "document",
  batchSize: 500,
  schema: Type.Interface([NewActivity], { id: Identifier }),
  convert: ({ metadata, ...item }) => ({ ...parentIdsIn(metadata), item }),
  async write({ operations }, { organizationId, items }) {
    const activityIds = items.map(({ item }) => item.id);
    const existing = await operations.readAll(getActivities, { organizationId, activityIds });
    const existingIds = new Set(existing.map(({ id }) => id));
    const missing = items.filter(({ item }) => !existingIds.has(item.id));
    for (const [documentId = "", group] of Map.groupBy(missing, (each) => each.documentId)) {
      const given = group.map(({ item }) => item);
      await operations.call(addActivities, { organizationId, documentId, activities: given });
    }
    return activityIds.map((id): Outcome => (existingIds.has(id) ? "existed" : "added"));
  },
});
