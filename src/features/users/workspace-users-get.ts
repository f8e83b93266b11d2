import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken, UserEmail } from "../../contract/schema.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { UserRecord } from "./user.ts";
import { selectWorkspaceUsersPage } from "./user-queries.ts";

const FindUserRequest = Type.Refine(
  Type.Object({
    userId: Type.Optional(Identifier),
    email: Type.Optional(
      Type.Refine(
        UserEmail,
        (text) => text !== "",
        () => "must be an email address, such as ada@example.com",
      ),
    ),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  ({ userId, email }) => userId !== undefined || email !== undefined,
  () => "must have one of userId, email",
);

/** Finds a user in all organizations by id or address. An address may belong to several users. */
export const getWorkspaceUsers = operation({
  path: "/v2/workspace/users/get",
  summary: "Find a user in all organizations",
  description:
    "Accepts either `userId` or `email`. Returns the user records with this ID or address in all organizations " +
    "of the workspace, except those that are being deleted, ordered by organization. The list is empty if there " +
    "is none. If there are more, the response has a `nextPageToken`.",
  message: "Users retrieved.",
  scope: "read",
  request: FindUserRequest,
  response: Type.Array(Type.Object({ organizationId: Identifier, user: UserRecord })),
  cursor: Type.Array(Type.String(), { description: "organization ID, user ID" }),
  pageTokenNames: ["nextPageToken"],
  example: { userId: "ada" },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { userId, email, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof FindUserRequest>,
) {
  if (userId !== undefined && email !== undefined) {
    throw invalidField("data.email", "must not be sent together with userId");
  }
  const person = userId === undefined ? { email: String(email).toLowerCase() } : { userId };
  const page = await selectWorkspaceUsersPage(acrossOrganizations(database), workspace.id, person, {
    pageSize,
    after: cursor,
  });
  return new Page(new JsonText(page.records), page.next);
}
