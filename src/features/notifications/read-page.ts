import type { PageOfRecords } from "../../database/page.ts";
import type { Queryable } from "../../database/statement.ts";
import { assertAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { AccessBlock } from "../tenancy/queries.ts";
import type { ReadScope } from "./notification.ts";
import { selectNotificationPage, selectOrganizationsWith } from "./queries.ts";

type PagePosition = Parameters<typeof selectNotificationPage>[3];

/** Reads a page. Throws PERMISSION_DENIED if an organization of the scope is disabled. */
export async function readPage(
  database: Queryable,
  workspaceId: string,
  { organizationId, ...scope }: ReadScope,
  position: PagePosition,
): Promise<PageOfRecords<AccessBlock, number>> {
  if (organizationId === undefined) return readPageOfDocument(database, workspaceId, scope, position);
  const key = organizationKey(workspaceId, organizationId);
  const page = await selectNotificationPage(database, key, scope, position);
  assertAccessible(page.extra, organizationId);
  return page;
}

/** Reads a page over all organizations of the workspace that have the document; usually there is one. */
async function readPageOfDocument(
  database: Queryable,
  workspaceId: string,
  scope: ReadScope,
  position: PagePosition,
): Promise<PageOfRecords<AccessBlock, number>> {
  const organizations = await selectOrganizationsWith(database, workspaceId, scope.documentId ?? "");
  const [first, ...others] = organizations;
  if (first && others.length === 0) {
    return readPage(database, workspaceId, { ...scope, organizationId: first.organizationId }, position);
  }
  for (const { organizationId, block } of organizations) assertAccessible(block, organizationId);
  const keys = organizations.map(({ organizationKey }) => organizationKey);
  return selectNotificationPage(database, keys, scope, position);
}
