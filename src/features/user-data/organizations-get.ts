import Type from "typebox";
import { JsonText, operation, Page } from "../../contract/operation.ts";
import { Identifier, PageToken } from "../../contract/schema.ts";
import { surveyRows } from "./affected/find-affected.ts";
import { selectKeptOrganizations } from "./affected/queries.ts";

/** Organizations a page: each costs a look into an index of each table. */
const LOOKED_AT = 1_000;

/** Where an export of the user would have something in it. */
export const getUserDataOrganizations = operation({
  path: "/v2/users/data/organizations/get",
  summary: "Find where a user has data",
  description:
    "The ids of the organizations, but those that are being deleted, in which the user has written anything or " +
    "anything is kept of the user, with or without a user record; by id. `/v2/users/data/get` has what it is. " +
    "Mentions in what others wrote do not count. A page is of 1,000 organizations that were looked at, so it may be " +
    "empty; a `nextPageToken` comes back when there are more.",
  message: "Organizations retrieved.",
  request: Type.Object({ userId: Identifier, pageToken: Type.Optional(PageToken) }),
  response: Type.Array(Identifier),
  cursor: Type.Array(Type.String(), { description: "organization id" }),
  pageTokenName: "nextPageToken",
  example: { userId: "ada" },
  async handle({ workspace, database, cursor }, { userId }) {
    const organizations = await selectKeptOrganizations(database, workspace.id, cursor?.[0] ?? "", LOOKED_AT);
    const organizationKeys = organizations.map(({ organizationKey }) => organizationKey);
    const users = { userIds: [userId], acceptedAt: Number.MAX_SAFE_INTEGER };
    const hasRows = await surveyRows(database, { ...users, organizationKeys });
    const found = organizations.filter(({ organizationKey }) => hasRows(organizationKey));
    const last = organizations.length === LOOKED_AT ? organizations.at(-1) : undefined;
    const ids = JSON.stringify(found.map(({ organizationId }) => organizationId));
    return new Page(new JsonText(ids), last && [last.organizationId]);
  },
});
