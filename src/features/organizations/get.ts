import Type from "typebox";
import { JsonText, operation, Page } from "../../http/operation.ts";
import { Identifiers, PageSize, PageToken } from "../../http/schema.ts";
import { Organization } from "./organization.ts";
import { selectPage } from "./queries.ts";

/** Unknown ids are left out; without ids it reads all, by id. */
export const getOrganizations = operation({
  path: "/v2/organizations/get",
  aliases: ["/v1/organizations/get"],
  summary: "Read organizations by id",
  description:
    "By id. Unknown ids, and those of organizations that are being deleted, are left out. Without `organizationIds`: " +
    "all of them; a `nextPageToken` comes back when there is more than one page.",
  message: "Organizations retrieved.",
  request: Type.Object({
    organizationIds: Type.Optional(Identifiers),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  response: Type.Array(Organization),
  cursor: Type.Array(Type.String(), { description: "organization id" }),
  pageTokenName: "nextPageToken",
  example: { organizationIds: ["acme"] },
  async handle({ workspace, database, cursor }, { organizationIds, pageSize = 1000 }) {
    const page = await selectPage(database, workspace.id, organizationIds, { pageSize, after: cursor });
    return new Page(new JsonText(page.records), page.next);
  },
});
