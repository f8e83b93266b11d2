import type { Workspace } from "../../contract/operation.ts";
import type { OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import type { NewEvent } from "./event.ts";
import { selectEventLog, writeEvents } from "./event-log-queries.ts";

/** What decides whether the changes of a workspace are written to the event log. */
export type ListenedWorkspace = Pick<Workspace, "id" | "eventLog">;

/** Returns whether the changes of the workspace are written to the event log: somebody listens, or did recently. */
export function hasListeners({ eventLog }: Pick<Workspace, "eventLog">): boolean {
  return eventLog !== undefined && eventLog.until > Date.now();
}

/** Writes events of an organization with the commit of the transaction, if anybody listens to the workspace. */
export async function recordEvents(
  scope: OrganizationScope<ListenedWorkspace>,
  events: readonly NewEvent[],
): Promise<void> {
  if (hasListeners(scope.workspace)) await recordListenedEvents(scope, events);
}

/** Writes events with the commit if anybody listens. Reads that, because the workspace is not known. */
export async function recordStoredEvents(organization: StoredOrganization, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0 || !hasListeners({ eventLog: await selectEventLog(organization) })) return;
  await recordListenedEvents(organization, events);
}

/** Writes events with the commit of the transaction, where it is known that somebody listens. */
export async function recordListenedEvents(
  organization: StoredOrganization,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await organization.run(writeEvents(events.map((event) => ({ ...event, organizationKey: organization.key }))));
}

/** Requests an access check from the organization's streams, whose users may have lost access to something. */
export function recordAccessChange(scope: OrganizationScope<ListenedWorkspace>): Promise<void> {
  return recordEvents(scope, [{ kind: "access.update", documentId: undefined, subject: {}, audience: "backend" }]);
}
