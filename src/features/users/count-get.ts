import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { getResource, RESOURCE_FIELDS } from "./resource.ts";
import { countUsers } from "./user-queries.ts";

const Request = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    ...RESOURCE_FIELDS,
    allDocuments: Type.Optional(Type.Boolean({ default: false })),
    userId: Type.Optional(Identifier),
  }),
  ({ allDocuments, documentId, folderId }) => !allDocuments || (documentId === undefined && folderId === undefined),
  () => "must have allDocuments without documentId and folderId",
);

/** Counts the users that the operation `get` returns for the same resource. */
export const getUserCount = operation({
  path: "/v2/users/count/get",
  summary: "Count the users of an organization, folder or document",
  description:
    "Counts the users that `/v2/users/get` returns: those of the folder or document named, or else of the " +
    "organization, and with `allDocuments` each user of any document once. With `userId` the count is 1 if " +
    "that user is one of them, else 0.",
  message: "Users counted.",
  scope: "read",
  request: Request,
  response: Type.Object({ count: Type.Integer() }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7" },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, allDocuments, documentId, folderId, userId }: Static<typeof Request>,
) {
  const resource = getResource({ documentId, folderId });
  const scope = openOrganization(database, workspace, organizationId);
  const { count, block } = await countUsers(scope, allDocuments ? undefined : resource, userId);
  assertNotBeingDeleted(block, organizationId);
  return { count };
}
