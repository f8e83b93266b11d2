import { type ListenedWorkspace, recordEvents } from "../../event-log/record-events.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { toAddEvents } from "../event-log.ts";
import { type AddCall, addActivityRows } from "./add-activities-queries.ts";

/**
 * Adds activities and records their events in a transaction, which has ensured their document. Returns whether it has
 * found the document without an access block; otherwise it writes and records nothing. Throws if an activity of a
 * disabled document would be overwritten.
 */
export async function addWithEvents(scope: OrganizationScope<ListenedWorkspace>, call: AddCall): Promise<boolean> {
  const { block, isAdded } = await addActivityRows(scope, call);
  assertAccessible(block, scope.organizationId);
  if (isAdded) await recordEvents(scope, toAddEvents(call));
  return isAdded;
}
