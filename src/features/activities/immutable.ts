import { ServiceError } from "../../contract/errors.ts";
import { type ItemResult, keyedById } from "../../contract/schema.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { areEqual, parseRecord } from "../../json/record-texts.ts";
import type { ListenedWorkspace } from "../event-log/record-events.ts";
import { ensureDocumentAndWrite } from "../implicit-creation/ensure-document.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { lockRecords } from "../tenancy/record-queries.ts";
import { lockAdds } from "./activity-queries.ts";
import type { AddCall } from "./adding/add-activities-queries.ts";
import { addWithEvents } from "./adding/add-with-events.ts";

/** Returns the response for each id of an update or delete while the workspace's activities are immutable. */
export function rejectChanges(ids: Iterable<string>, existing: Set<string>): Record<string, ItemResult> {
  const message = "Activities are immutable in this workspace (/v2/workspace/activityconfig/get).";
  return keyedById(
    [...ids].map((id) => [id, { success: false, message: existing.has(id) ? message : "Activity not found." }]),
  );
}

/**
 * Adds activities without overwriting any. An activity that already exists exactly as sent is left unchanged, so that a
 * call can be retried; a different one under the same id is ALREADY_EXISTS.
 */
export function addWithoutOverwriting(
  database: TransactionalQueryable,
  workspace: ListenedWorkspace,
  organizationId: string,
  call: AddCall,
): Promise<void> {
  return inOrganization(database, workspace, organizationId, (scope) =>
    ensureDocumentAndWrite(scope, call.documentId, async () => {
      await lockAdds(scope);
      const ids = call.rows.map(({ id }) => id);
      const existing = await lockRecords(scope, "activities", ids);
      for (const [index, { id, record }] of call.rows.entries()) {
        const kept = existing.get(id);
        if (kept !== undefined && !isSame(kept, record)) {
          throw new ServiceError(
            "activities_immutable",
            `data.activities[${index}].id belongs to a different activity, and activities are immutable in this ` +
              "workspace (/v2/workspace/activityconfig/get).",
          );
        }
      }
      const rows = call.rows.filter(({ id }) => !existing.has(id));
      return rows.length === 0 || addWithEvents(scope, { ...call, rows });
    }),
  );
}

/** Compares the texts of two records. Only the order of their fields can differ if the records are the same. */
function isSame(kept: string, sent: string): boolean {
  if (kept.length !== sent.length || kept === sent) return kept === sent;
  return areEqual(parseRecord(kept), parseRecord(sent));
}
