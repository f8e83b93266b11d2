import type { Queryable } from "../../database/statement.ts";
import { type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";

/** Records an event of each organization that was added or has changed, in its own event log, for backends. */
export async function recordOrganizationEvents(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  organizationIds: Iterable<string>,
): Promise<void> {
  for (const id of organizationIds) {
    await recordEvents(openOrganization(transaction, workspace, id), [
      { kind: "organization.update", documentId: undefined, subject: { id }, audience: "backend" },
    ]);
  }
}
