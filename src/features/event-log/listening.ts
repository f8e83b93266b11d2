import type { Context } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import { endEventLog, extendEventLog, FOREVER } from "./event-log-queries.ts";

/** Share of the retention after which the log is extended: each process writes to the workspace once in it at most. */
export const EXTENSION_SHARE = 0.05;
/** Share of the retention that must be left for a listener not to wait until the log is extended. */
const UNHURRIED_SHARE = 0.1;

/**
 * Extends the event log of the workspace to the retention from now on: soon, so that listeners need no write while the
 * log is written anyway, or before it returns, if the log is not written or ends shortly. Returns the time since which
 * it has been written without a break, in milliseconds since the epoch.
 */
export async function keepEventLog({
  workspace,
  database,
  events: { retentionMs, extendLogSoon },
  workspaceChanged,
}: Pick<Context, "workspace" | "database" | "workspaceChanged"> & {
  events: Pick<Context["events"], "retentionMs" | "extendLogSoon">;
}): Promise<number> {
  const now = Date.now();
  const { eventLog } = workspace;
  if (eventLog && eventLog.until > now + retentionMs * UNHURRIED_SHARE) {
    if (eventLog.until < now + retentionMs * (1 - EXTENSION_SHARE)) extendLogSoon(workspace.id);
    return eventLog.since;
  }
  const since = await database.transaction((transaction) =>
    extendEventLog(transaction, workspace.id, now + retentionMs),
  );
  workspaceChanged();
  return since;
}

/**
 * Keeps the event log of the workspace for as long as webhooks are enabled, and then for the retention, in which other
 * listeners may rely on it.
 */
export async function keepEventLogForWebhooks(
  transaction: Queryable,
  { workspace, events: { retentionMs } }: Pick<Context, "workspace" | "events">,
  areEnabled: boolean,
): Promise<void> {
  if (areEnabled) await extendEventLog(transaction, workspace.id, FOREVER);
  else await endEventLog(transaction, workspace.id, Date.now() + retentionMs);
}
