import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { Presence } from "../presence.ts";
import { selectOrganizationPresencePage } from "./organization-presence-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads who is present in any document of an organization. */
export const getOrganizationPresence = operation({
  path: "/v2/organizations/presence/get",
  summary: "Read the presence of users in all documents",
  description:
    "Returns the users who are `online` or `away` in a document of the organization, in the format of " +
    "`/v2/presence/get` with `documentId`, ordered by document and user. A user who is in several documents is " +
    "returned for each. Disabled documents are left out. If there are more, the response has a `pageToken`; send it " +
    "with the same filters.",
  message: "Presence retrieved.",
  scope: "read",
  hasEventCursor: true,
  request: Request,
  response: Type.Array(Type.Interface([Presence], { documentId: Identifier }, { title: "OrganizationPresence" })),
  cursor: Type.Array(Type.String(), { description: "document ID, user ID" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectOrganizationPresencePage(scope, { pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}
