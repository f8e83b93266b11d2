import type { Context } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import { endEventLog, extendEventLog, FOREVER } from "./queries.ts";

/** A share of the retention: each listener writes to the workspace once within it at most. */
export const EXTENDED_AFTER = 0.05;

/**
 * Extends the event log of the workspace to the retention from now on. Returns the time since which it has been written
 * without a break, in milliseconds since the epoch.
 */
export async function keepEventLog({
  workspace,
  database,
  events: { retentionMs },
  workspaceChanged,
}: Pick<Context, "workspace" | "database" | "workspaceChanged"> & {
  events: Pick<Context["events"], "retentionMs">;
}): Promise<number> {
  const now = Date.now();
  const { eventLog } = workspace;
  if (eventLog && eventLog.until > now + retentionMs * (1 - EXTENDED_AFTER)) return eventLog.since;
  const since = await database.transaction((transaction) =>
    extendEventLog(transaction, workspace.id, now + retentionMs),
  );
  workspaceChanged();
  return since;
}

/**
 * Extends the event log of the workspace until further notice. Unless `isKept`, ends it after the retention instead, on
 * which other listeners may rely.
 */
export async function keepEventLogForever(
  transaction: Queryable,
  { workspace, events: { retentionMs } }: Pick<Context, "workspace" | "events">,
  isKept: boolean,
): Promise<void> {
  if (isKept) await extendEventLog(transaction, workspace.id, FOREVER);
  else await endEventLog(transaction, workspace.id, Date.now() + retentionMs);
}
