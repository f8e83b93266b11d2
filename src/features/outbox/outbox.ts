import type { Queryable } from "../../database/statement.ts";
import type { Outbox, OutboxEntry } from "../../email/outbox.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { selectEnabledSince } from "./outbox-queries.ts";

/**
 * Returns the workspace's mails, newest first. Mails of an organization are included only while it is enabled; mails of
 * a deleted organization with the same id never are.
 */
export async function readableEntries(
  database: Queryable,
  outbox: Outbox,
  workspaceId: string,
): Promise<OutboxEntry[]> {
  const entries = await outbox.list(workspaceId);
  const keys = new Set(entries.flatMap((entry) => (entry.organizationKey ? [entry.organizationKey] : [])));
  if (keys.size === 0) return entries;
  const openSince = await selectEnabledSince(acrossOrganizations(database), workspaceId, [...keys]);
  return entries.filter(({ organizationKey, createdAt }) => {
    const since = organizationKey === undefined ? 0 : openSince.get(organizationKey);
    return since !== undefined && since <= createdAt;
  });
}
