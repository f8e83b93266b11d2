import type { Queryable } from "../../../database/statement.ts";
import { type ListenedWorkspace, recordEvents } from "../../event-log/record-events.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { eventsOfAdding } from "../event-log.ts";
import { type AddCall, addActivityRows } from "./add-activities-queries.ts";

/**
 * Adds activities and records their events in a transaction, which has ensured their document. Returns whether it has
 * found the document without an access block; otherwise it writes and records nothing. Throws if an activity of a
 * disabled document would be overwritten.
 */
export async function addWithEvents(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  call: AddCall,
): Promise<boolean> {
  const { block, isAdded } = await transaction.run(addActivityRows(call));
  assertAccessible(block, call.organizationId);
  if (isAdded) await recordEvents(transaction, workspace, () => eventsOfAdding(call));
  return isAdded;
}
