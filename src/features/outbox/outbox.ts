import type { Queryable } from "../../database/statement.ts";
import type { Outbox, OutboxEntry } from "../../email/outbox.ts";
import { selectEnabledSince } from "./queries.ts";

/**
 * The workspace's own mails, newest first; those of an organization only while it is open, and never those of a
 * deleted one that had the same id.
 */
export async function readableEntries(
  database: Queryable,
  outbox: Outbox,
  workspaceId: string,
): Promise<OutboxEntry[]> {
  const entries = await outbox.list(workspaceId);
  const keys = new Set(entries.map(({ organizationKey }) => organizationKey).filter((key) => key !== undefined));
  if (keys.size === 0) return entries;
  const openSince = await selectEnabledSince(database, workspaceId, [...keys]);
  return entries.filter(({ organizationKey, createdAt }) => {
    const since = organizationKey === undefined ? 0 : openSince.get(organizationKey);
    return since !== undefined && since <= createdAt;
  });
}
