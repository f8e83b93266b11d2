import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, PageSize, PageToken } from "../../contract/schema.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { Organization } from "./organization.ts";
import { selectOrganizationPage } from "./organization-queries.ts";

const Request = Type.Object({
  organizationIds: Type.Optional(Identifiers),
  search: Type.Optional(Identifier),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads organizations by id, all of them if no ids are given. Omits unknown ids. */
export const getOrganizations = operation({
  path: "/v2/organizations/get",
  aliases: ["/v1/organizations/get"],
  summary: "Read organizations",
  description:
    "Returns organizations ordered by ID. Unknown IDs and organizations that are being deleted are left out. " +
    "Without `organizationIds` all organizations are returned; with `search` those whose ID or name contains it, " +
    "compared case-insensitively for A to Z. If there are more, the response has a `nextPageToken`.",
  message: "Organizations retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(Organization),
  cursor: Type.Array(Type.String(), { description: "organization ID" }),
  pageTokenNames: ["nextPageToken"],
  example: { organizationIds: ["acme"] },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { pageSize = DEFAULT_PAGE_SIZE, ...filters }: Static<typeof Request>,
) {
  const page = await selectOrganizationPage(acrossOrganizations(database), workspace.id, filters, {
    pageSize,
    after: cursor,
  });
  return new Page(new JsonText(page.records), page.next);
}
