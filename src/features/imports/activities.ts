import Type from "typebox";
import { isObject } from "../../contract/is-object.ts";
import { Identifier } from "../../contract/schema.ts";
import { NewActivity } from "../activities/activity.ts";
import { addActivities } from "../activities/add.ts";
import { getActivities } from "../activities/get.ts";
import { type Address, importKind, type Outcome } from "./import-kind.ts";

/** Activities with their times. */
export const activities = importKind({
  belongsTo: "document",
  batchSize: 500,
  schema: Type.Interface([NewActivity], { id: Identifier }),
  convert: ({ metadata, ...item }) => ({ ...addressIn(metadata), item }),
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

/** Returns the address in the metadata of a record. */
export function addressIn(metadata: unknown): Address {
  const { organizationId, documentId } = isObject(metadata) ? metadata : {};
  return { organizationId, documentId };
}
