import type { Workspace } from "../../contract/operation.ts";
import { newId } from "../../database/new-id.ts";
import type { NewActivity } from "./activity.ts";
import type { ActivityRow } from "./adding/add-activities-queries.ts";

/** Makes the row of a new activity, whose record becomes a text by `withTexts`. */
export function toActivityRow(
  { timestamp, ...given }: NewActivity,
  workspace: Pick<Workspace, "apiKey">,
  organizationId: string,
  documentId: string,
): Omit<ActivityRow, "record"> & { record: object } {
  const id = given.id ?? newId();
  const metadata = { apiKey: workspace.apiKey, documentId, organizationId };
  return {
    id,
    isNew: given.id === undefined,
    targetEntityId: given.targetEntityId ?? null,
    userId: given.actionUser.userId,
    featureType: given.featureType,
    actionType: given.actionType,
    timestamp: timestamp ?? null,
    record: { id, ...given, metadata },
  };
}
