import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, Order, PageSize, PageToken } from "../../../contract/schema.ts";
import { requireNotBeingDeleted } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { UserStatistics } from "./schema.ts";
import { selectUserStatistics, USER_ORDERS } from "./user-statistics-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  userIds: Type.Optional(Identifiers),
  groupId: Type.Optional(Identifier),
  search: Type.Optional(Identifier),
  orderBy: Type.Optional(Type.Enum(USER_ORDERS, { default: "id" })),
  order: Type.Optional(Order),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the users of an organization with their statistics, in any order. */
export const getUserStatistics = operation({
  path: "/v2/users/figures/get",
  summary: "Read users with their statistics",
  description:
    "Returns everybody with a user record in the organization, also users of folders or documents only, each with " +
    "the role on the organization, the number of `documents` on which they have a permission of their own, and the " +
    "time of the newest activity, comment or recording of theirs, ordered by `orderBy`; those that are equal there " +
    "by ID. By `name`, a user without a name has the place of the address, or of the ID. `search` is a part of " +
    "the ID, the name or the address, compared case-insensitively for A to Z, and `groupId` a user group; `userIds` " +
    "selects users by their ID. " +
    "`totalCount` counts all matches. If there are more, the response has a `pageToken`; send it with the same " +
    "filters.",
  message: "Users retrieved.",
  scope: "read",
  hasEventCursor: true,
  request: Request,
  response: Type.Object({
    users: Type.Array(UserStatistics),
    totalCount: Type.Integer({ minimum: 0, examples: [1] }),
  }),
  cursor: Type.Array(Type.String(), { description: "value of `orderBy`, user ID" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", orderBy: "lastActivityAt", order: "desc", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, ...given }: Static<typeof Request>,
) {
  const { pageSize = DEFAULT_PAGE_SIZE, orderBy = "id", order = "asc", ...filters } = given;
  const scope = openOrganization(database, workspace, organizationId);
  await requireNotBeingDeleted(scope);
  const page = { orderBy, order, pageSize, after: cursor };
  const { next, ...found } = await selectUserStatistics(scope, filters, page);
  return new Page(new JsonText(JSON.stringify(found)), next);
}
