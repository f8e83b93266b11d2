import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Order, PageToken } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { WORKSPACE_ORDERS } from "../../tenancy/workspace-page-queries.ts";
import { UserStatistics } from "../statistics/schema.ts";
import { selectWorkspaceUserStatistics } from "./workspace-user-queries.ts";

const Request = Type.Object({
  search: Type.Optional(Identifier),
  orderBy: Type.Optional(Type.Enum(WORKSPACE_ORDERS, { default: "organization" })),
  order: Type.Optional(Order),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_PAGE_SIZE })),
  pageToken: Type.Optional(PageToken),
});

/** Reads the users of all organizations with their statistics. */
export const getWorkspaceUserStatistics = operation({
  path: "/v2/workspace/users/figures/get",
  summary: "Read users of all organizations with their statistics",
  description:
    "Returns the users of all organizations that are not being deleted, each once for each organization with what " +
    "`/v2/users/figures/get` returns for it. They are ordered by `organization` and then by user ID, or by `id` " +
    "and then by organization ID. `search` is a part of the ID, the name or the address, as in that operation. " +
    "`totalCount` counts all matches. If there are more, the response has a `pageToken`; send it with the same " +
    "filters.",
  message: "Users retrieved.",
  scope: "read",
  request: Request,
  response: Type.Object({
    users: Type.Array(Type.Object({ organizationId: Type.String(), ...UserStatistics.properties }), {
      examples: [
        [
          {
            organizationId: "acme",
            userId: "ada",
            name: "Ada Lovelace",
            isInOrganization: true,
            documents: 3,
            lastActivityAt: null,
          },
        ],
      ],
    }),
    totalCount: Type.Integer({ minimum: 0, examples: [1] }),
  }),
  cursor: Type.Array(Type.String(), { description: "organization ID, user ID" }),
  example: { orderBy: "organization", order: "asc", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { pageSize = DEFAULT_PAGE_SIZE, ...given }: Static<typeof Request>,
) {
  const { orderBy = "organization", order = "asc", ...filters } = given;
  const page = { orderBy, order, pageSize, after: cursor };
  const { next, ...found } = await selectWorkspaceUserStatistics(
    acrossOrganizations(database),
    workspace.id,
    filters,
    page,
  );
  return new Page(new JsonText(JSON.stringify(found)), next);
}
