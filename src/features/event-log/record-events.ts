import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import type { NewEvent } from "./event.ts";
import { writeEvents } from "./event-log-queries.ts";

/** What decides whether the changes of a workspace are written to the event log. */
export type ListenedWorkspace = Pick<Workspace, "eventLog">;

/** Returns whether the changes of the workspace are written to the event log: somebody listens, or has lately. */
export function hasListeners({ eventLog }: ListenedWorkspace): boolean {
  return eventLog !== undefined && eventLog.until > Date.now();
}

/**
 * Writes the events that `eventsOf` returns with the commit of the transaction, if anybody listens to the workspace.
 * `eventsOf` is not called otherwise.
 */
export async function recordEvents(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  eventsOf: () => readonly NewEvent[],
): Promise<void> {
  if (!hasListeners(workspace)) return;
  const events = eventsOf();
  if (events.length > 0) await transaction.run(writeEvents(events));
}

/** Requests an access check from the streams of the organizations, whose users may have lost access to something. */
export function recordAccessChange(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  organizationKeys: readonly string[],
): Promise<void> {
  return recordEvents(transaction, workspace, () =>
    organizationKeys.map((organizationKey) => ({
      organizationKey,
      kind: "access.update",
      documentId: undefined,
      subject: {},
      audience: "backend",
    })),
  );
}
