import Type, { type Static } from "typebox";
import { type Context, JsonText, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { searchDocuments, searchOrganizations, searchUsers } from "./search-queries.ts";

const DEFAULT_LIMIT = 8;

const Request = Type.Object({
  search: Identifier,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: DEFAULT_LIMIT })),
});

/** Finds organizations, users and documents of the whole workspace. */
export const searchWorkspace = operation({
  path: "/v2/workspace/search/get",
  summary: "Search organizations, users and documents",
  description:
    "Returns up to `limit` organizations, users and documents of all organizations whose ID, email address or first " +
    "255 characters of the name contain `search`, compared case-insensitively for A to Z. Exact matches come first, " +
    "then the others by how early in the text they match. A user of several organizations is found once, in one of " +
    "them. Organizations that are being deleted are left out.",
  message: "Search completed.",
  scope: "read",
  request: Request,
  response: Type.Object({
    organizations: Type.Array(Type.Object({ id: Type.String(), organizationName: Type.String() }), {
      examples: [[{ id: "acme", organizationName: "Acme" }]],
    }),
    users: Type.Array(
      Type.Object({
        organizationId: Type.String(),
        userId: Type.String(),
        name: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
      }),
    ),
    documents: Type.Array(
      Type.Object({ organizationId: Type.String(), id: Type.String(), documentName: Type.String() }),
      { examples: [[{ organizationId: "acme", id: "appendix-a", documentName: "Appendix A" }]] },
    ),
  }),
  example: { search: "a" },
  handle,
});

async function handle({ database, workspace }: Context, { search, limit = DEFAULT_LIMIT }: Static<typeof Request>) {
  const wanted = { workspaceId: workspace.id, search: search.trim(), limit };
  const scope = acrossOrganizations(database);
  const [organizations, users, documents] = await Promise.all([
    searchOrganizations(scope, wanted),
    searchUsers(scope, wanted),
    searchDocuments(scope, wanted),
  ]);
  return new JsonText(JSON.stringify({ organizations, users, documents }));
}
