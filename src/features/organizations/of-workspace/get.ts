import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Order, PageSize, PageToken } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { ORGANIZATION_ORDERS, selectWorkspaceOrganizationPage } from "./workspace-organization-queries.ts";

const Count = Type.Integer({ minimum: 0 });
const Time = Type.Integer({ description: "Milliseconds since the epoch." });

const OrganizationStatistics = Type.Object(
  {
    id: Type.String(),
    organizationName: Type.String({ description: "Empty until it is set." }),
    disabled: Type.Boolean(),
    createdAt: Time,
    users: Count,
    documents: Count,
    lastActivityAt: Type.Union([Time, Type.Null()]),
  },
  {
    title: "OrganizationStatistics",
    examples: [
      {
        id: "acme",
        organizationName: "Acme",
        disabled: false,
        createdAt: 1_795_474_800_000,
        users: 12,
        documents: 3,
        lastActivityAt: 1_795_512_600_000,
      },
    ],
  },
);

const Request = Type.Object({
  search: Type.Optional(Identifier),
  disabled: Type.Optional(Type.Boolean()),
  orderBy: Type.Optional(Type.Enum(ORGANIZATION_ORDERS, { default: "id" })),
  order: Type.Optional(Order),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the organizations of the workspace with their statistics, in any order. */
export const getWorkspaceOrganizations = operation({
  path: "/v2/workspace/organizations/get",
  summary: "Read organizations with their statistics",
  description:
    "Returns the organizations that are not being deleted, each with the number of its `users` and `documents` and " +
    "the time of the newest write in any of its documents, ordered by `orderBy`; those that are equal there by ID. " +
    "By `name`, an organization without a name has the place of its ID. `search` is a part of the ID or of the " +
    "name, as in `/v2/organizations/get`. `totalCount` counts all matches. If there are more, the response has a " +
    "`pageToken`; send it with the same filters.",
  message: "Organizations retrieved.",
  scope: "read",
  request: Request,
  response: Type.Object({
    organizations: Type.Array(OrganizationStatistics),
    totalCount: Type.Integer({ minimum: 0, examples: [1] }),
  }),
  cursor: Type.Array(Type.String(), { description: "value of `orderBy`, organization ID" }),
  example: { orderBy: "lastActivityAt", order: "desc", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { pageSize = DEFAULT_PAGE_SIZE, orderBy = "id", ...given }: Static<typeof Request>,
) {
  const { order = "asc", ...filters } = given;
  const page = { orderBy, order, pageSize, after: cursor };
  const { next, ...found } = await selectWorkspaceOrganizationPage(
    acrossOrganizations(database),
    workspace.id,
    filters,
    page,
  );
  return new Page(new JsonText(JSON.stringify(found)), next);
}
