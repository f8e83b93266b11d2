import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { Identifier, PageToken } from "../../contract/schema.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { selectLiveOrganizations } from "./affected/affected-organization-queries.ts";
import { findOwnRows } from "./affected/find-affected.ts";

/** Number of organizations a page: each costs an index look-up in each table. */
const ORGANIZATIONS_PER_PAGE = 1_000;

const Request = Type.Object({ userId: Identifier, pageToken: Type.Optional(PageToken) });

/** Lists the organizations that have data of the user. */
export const getUserDataOrganizations = operation({
  path: "/v2/users/data/organizations/get",
  summary: "Find the organizations in which a user has data",
  description:
    "Returns the IDs of the organizations in which the user has written anything or anything is stored about the " +
    "user, with or without a user record, ordered by ID. Organizations that are being deleted are left out, and " +
    "so are those in which only others mention the user. `/v2/users/data/get` exports the data. A page covers " +
    "1,000 organizations, so it may be empty; if there are more, the response has a `nextPageToken`.",
  message: "Organizations retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(Identifier, { examples: [["acme"]] }),
  cursor: Type.Array(Type.String(), { description: "organization ID" }),
  pageTokenNames: ["nextPageToken"],
  example: { userId: "ada" },
  handle,
});

async function handle({ database, workspace, cursor }: Context<string[]>, { userId }: Static<typeof Request>) {
  const scope = acrossOrganizations(database);
  const organizations = await selectLiveOrganizations(scope, workspace.id, cursor?.[0] ?? "", ORGANIZATIONS_PER_PAGE);
  const organizationKeys = organizations.map(({ organizationKey }) => organizationKey);
  const users = { userIds: [userId], accepted: { time: Number.MAX_SAFE_INTEGER, transactionId: null } };
  const hasRows = await findOwnRows(scope, { ...users, organizationKeys });
  const found = organizations.filter(({ organizationKey }) => hasRows(organizationKey));
  const last = organizations.length === ORGANIZATIONS_PER_PAGE ? organizations.at(-1) : undefined;
  const ids = JSON.stringify(found.map(({ organizationId }) => organizationId));
  return new Page(new JsonText(ids), last && [last.organizationId]);
}
