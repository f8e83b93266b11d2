import Type from "typebox";
import { JsonText, operation, Page } from "../../contract/operation.ts";
import { Identifier, Identifiers, PageSize, PageToken } from "../../contract/schema.ts";
import { Organization } from "./organization.ts";
import { selectPage } from "./queries.ts";

/** Unknown ids are left out; without ids it reads all, by id. */
export const getOrganizations = operation({
  path: "/v2/organizations/get",
  aliases: ["/v1/organizations/get"],
  summary: "Read organizations by id",
  description:
    "By id. Unknown ids, and those of organizations that are being deleted, are left out. Without `organizationIds`: " +
    "all of them, or with `search` those whose id or name begins with it: an id as it is written, a name with A to Z " +
    "as a to z. A `nextPageToken` comes back when there is more than one page.",
  message: "Organizations retrieved.",
  request: Type.Object({
    organizationIds: Type.Optional(Identifiers),
    search: Type.Optional(Identifier),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  response: Type.Array(Organization),
  cursor: Type.Array(Type.String(), { description: "organization id" }),
  pageTokenName: "nextPageToken",
  example: { organizationIds: ["acme"] },
  async handle({ workspace, database, cursor }, { pageSize = 1000, ...filters }) {
    const page = await selectPage(database, workspace.id, filters, { pageSize, after: cursor });
    return new Page(new JsonText(page.records), page.next);
  },
});
