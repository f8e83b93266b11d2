import type { EndUser } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import type { PageOfRecords } from "../../database/page.ts";
import type { Queryable } from "../../database/statement.ts";
import { selectAccess } from "../access/resource-access-queries.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { acrossOrganizations, openOrganization } from "../tenancy/organization-scope.ts";
import type { AccessBlock } from "../tenancy/tenancy-queries.ts";
import { getInboxUser } from "./inbox-user.ts";
import type { ReadSelection } from "./notification.ts";
import { selectNotificationPage } from "./notification-page-queries.ts";
import { selectOrganizationsWith } from "./notification-queries.ts";

type PagePosition = Parameters<typeof selectNotificationPage>[2];

/** Caller of a read operation. */
interface Caller {
  workspace: Workspace;
  user: EndUser | undefined;
}

/** Reads a page. Throws PERMISSION_DENIED if an organization that it reads is disabled. */
export async function readPage(
  database: Queryable,
  caller: Caller,
  { organizationId, ...selection }: ReadSelection,
  position: PagePosition,
): Promise<PageOfRecords<AccessBlock, number>> {
  if (organizationId === undefined) return readPageOfDocument(database, caller, selection, position);
  const scope = openOrganization(database, caller.workspace, organizationId);
  const seenBy = getInboxUser(selection.userId, caller.user);
  const page = await selectNotificationPage(scope, { ...selection, seenBy }, position);
  assertAccessible(page.extra, organizationId);
  return page;
}

/** Reads a page over all organizations of the workspace that have the document; usually there is one. */
async function readPageOfDocument(
  database: Queryable,
  caller: Caller,
  selection: ReadSelection,
  position: PagePosition,
): Promise<PageOfRecords<AccessBlock, number>> {
  const { workspace, user } = caller;
  const { documentId = "" } = selection;
  const found = await selectOrganizationsWith(acrossOrganizations(database), workspace.id, documentId);
  const [first, ...others] = found;
  if (first && others.length === 0) {
    return readPage(database, caller, { ...selection, organizationId: first.organizationId }, position);
  }
  for (const { organizationId, block } of found) assertAccessible(block, organizationId);
  const organizations = found.map(({ organizationId }) => openOrganization(database, workspace, organizationId));
  const seenBy = getInboxUser(selection.userId, user);
  if (!seenBy) return selectNotificationPage({ ...acrossOrganizations(database), organizations }, selection, position);
  const accesses = await Promise.all(
    organizations.map((organization) => selectAccess(organization, seenBy, { documentIds: [documentId] })),
  );
  const readable = organizations.filter((_, index) => accesses[index]?.documents.get(documentId)?.grant);
  const [only, ...further] = readable;
  if (only && further.length === 0) {
    return readPage(database, caller, { ...selection, organizationId: only.organizationId }, position);
  }
  if (!only) return { records: "[]", next: undefined, length: 0, extra: null };
  const scope = { ...acrossOrganizations(database), organizations: readable };
  return selectNotificationPage(scope, { ...selection, seenBy }, position);
}
