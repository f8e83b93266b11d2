import type { Queryable } from "../../database/database.ts";
import type { PageOfRecords } from "../../database/page.ts";
import { assertAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { AccessBlock } from "../tenancy/queries.ts";
import type { FoundScope } from "./notification.ts";
import { selectOrganizationsWith, selectPage } from "./queries.ts";

type PagePlace = Parameters<typeof selectPage>[3];

/** Throws PERMISSION_DENIED for a disabled organization, be it one of several that have the document. */
export async function readPage(
  database: Queryable,
  workspaceId: string,
  { organizationId, ...scope }: FoundScope,
  place: PagePlace,
): Promise<PageOfRecords<AccessBlock, number>> {
  if (organizationId === undefined) return readPageOfDocument(database, workspaceId, scope, place);
  const page = await selectPage(database, organizationKey(workspaceId, organizationId), scope, place);
  assertAccessible(page.extra, organizationId);
  return page;
}

/** Of every organization of the workspace that has the document; usually it is one. */
async function readPageOfDocument(
  database: Queryable,
  workspaceId: string,
  scope: FoundScope,
  place: PagePlace,
): Promise<PageOfRecords<AccessBlock, number>> {
  const organizations = await selectOrganizationsWith(database, workspaceId, scope.documentId ?? "");
  const [first, ...others] = organizations;
  if (first && others.length === 0) {
    return readPage(database, workspaceId, { ...scope, organizationId: first.organizationId }, place);
  }
  for (const { organizationId, block } of organizations) assertAccessible(block, organizationId);
  const keys = organizations.map(({ organizationKey }) => organizationKey);
  return selectPage(database, keys, scope, place);
}
