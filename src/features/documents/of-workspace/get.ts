import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Order, PageToken } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { WORKSPACE_ORDERS } from "../../tenancy/workspace-page-queries.ts";
import { DocumentStatistics } from "../statistics/schema.ts";
import { selectWorkspaceDocumentStatistics } from "./workspace-document-queries.ts";

const Request = Type.Object({
  search: Type.Optional(Identifier),
  disabled: Type.Optional(Type.Boolean()),
  orderBy: Type.Optional(Type.Enum(WORKSPACE_ORDERS, { default: "organization" })),
  order: Type.Optional(Order),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_PAGE_SIZE })),
  pageToken: Type.Optional(PageToken),
});

/** Reads the documents of all organizations with their statistics. */
export const getWorkspaceDocumentStatistics = operation({
  path: "/v2/workspace/documents/figures/get",
  summary: "Read documents of all organizations with their statistics",
  description:
    "Returns the documents of all organizations, each with what `/v2/organizations/documents/figures/get` returns " +
    "for it. Organizations that are disabled or being deleted are left out. The documents are ordered by " +
    "`organization` and then by document ID, or by `id` and then by organization ID. `search` is a part of the " +
    "ID or of the name, as in that operation. `totalCount` counts all matches. If there are more, the response has a " +
    "`pageToken`; send it with the same filters.",
  message: "Documents retrieved.",
  scope: "read",
  request: Request,
  response: Type.Object({
    documents: Type.Array(Type.Object({ organizationId: Type.String(), ...DocumentStatistics.properties }), {
      examples: [
        [
          {
            ...{ organizationId: "acme", id: "contract-7", documentName: "Contract 7", disabled: false },
            ...{ createdAt: 1_795_474_800_000, annotations: 3, users: 2, contentBytes: 18_240 },
            lastActivity: 1_795_512_600_000,
          },
        ],
      ],
    }),
    totalCount: Type.Integer({ minimum: 0, examples: [1] }),
  }),
  cursor: Type.Array(Type.String(), { description: "organization ID, document ID" }),
  example: { orderBy: "organization", order: "asc", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { pageSize = DEFAULT_PAGE_SIZE, ...given }: Static<typeof Request>,
) {
  const { orderBy = "organization", order = "asc", ...filters } = given;
  const page = { orderBy, order, pageSize, after: cursor };
  const { next, ...found } = await selectWorkspaceDocumentStatistics(
    acrossOrganizations(database),
    workspace.id,
    filters,
    page,
  );
  return new Page(new JsonText(JSON.stringify(found)), next);
}
