import Type, { type Static } from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { ACCESS_ROLES, RESOURCE_TYPES } from "../../contract/end-user.ts";
import { ServiceError } from "../../contract/errors.ts";
import { FolderId } from "../../contract/folder-id.ts";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { Identifier, PageToken } from "../../contract/schema.ts";
import { folderNotFound } from "../documents/folders/folder.ts";
import { assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { selectPermittedUserPage } from "./explanation/permission-explanation-queries.ts";
import { buildNaming, readUsers } from "./explanation/records.ts";
import { EXPLAIN } from "./moderation.ts";

/** Number of users on a page for a request without `pageSize`. */
const DEFAULT_PAGE_SIZE = 50;
const PageSize = Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_PAGE_SIZE });

const Name = Type.Optional(Type.String({ description: "Missing if it is not set." }));

const Explanation = Type.Object({
  accessType: AccessType,
  definedBy: Type.Object(
    {
      type: Type.Enum(["workspace", "folder", "document"]),
      id: Type.Optional(Type.String({ description: "ID of the folder or document." })),
      name: Name,
    },
    { description: "Resource with the access type: the nearest one that does not inherit it, or the workspace." },
  ),
  disabled: Type.Boolean({ description: "Whether the document or its organization is disabled: nobody has access." }),
  users: Type.Array(
    Type.Object({
      userId: Type.String(),
      name: Name,
      email: Type.Optional(Type.String()),
      accessRole: Type.Enum(ACCESS_ROLES),
      through: Type.Object(
        { type: Type.Enum(RESOURCE_TYPES), id: Type.String(), name: Name },
        { description: "The resource of the permission that decides." },
      ),
      expiresAt: Type.Optional(
        Type.Integer({ description: "End of that permission, in seconds since the epoch.", examples: [1_827_048_600] }),
      ),
    }),
  ),
});

const Request = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    folderId: Type.Optional(FolderId),
    documentId: Type.Optional(Identifier),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  ({ folderId, documentId }) => (folderId === undefined) !== (documentId === undefined),
  () => "must have either folderId or documentId",
);

/** Reads who has access to a folder or document, and by which permission. */
export const explainPermissions = operation({
  path: "/v2/auth/permissions/explain",
  summary: "Read who has access, and why",
  description:
    "Returns the access type that applies to the folder or document, where it is set, and the users with a " +
    "permission that counts there, ordered by ID. Each has the role and the end of the permission that decides, and " +
    "the resource that it is on. `public` also makes everybody else an editor. Permissions in tokens are not listed. " +
    "Users of a disabled organization or document have no access. If there are more, the response has a `pageToken`.",
  message: "Permissions explained.",
  scope: "read",
  request: Request,
  response: Explanation,
  cursor: Type.Array(Type.String(), { description: "user ID" }),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  endUsers: EXPLAIN,
  example: { organizationId: "acme", documentId: "contract-7", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, folderId, documentId = "", ...request }: Static<typeof Request>,
) {
  const organization = openOrganization(database, workspace, organizationId);
  const { pageSize = DEFAULT_PAGE_SIZE } = request;
  const page = await selectPermittedUserPage(
    organization,
    folderId === undefined ? { type: "document", id: documentId } : { type: "folder", id: folderId },
    { pageSize, after: cursor },
  );
  assertNotBeingDeleted(page.extra?.block ?? null, organizationId);
  const found = page.extra?.resource;
  if (!found) throw folderId === undefined ? documentNotFound(documentId) : folderNotFound(folderId);
  const named = buildNaming(organizationId, found);
  const explanation: Static<typeof Explanation> = {
    accessType: found.accessType,
    definedBy: found.definer ? named(found.definer) : { type: "workspace" },
    disabled: found.isClosed,
    users: readUsers(page.records, named),
  };
  return new Page(new JsonText(JSON.stringify(explanation)), page.next);
}

function documentNotFound(documentId: string): ServiceError {
  return new ServiceError("not_found", `Document ${JSON.stringify(documentId)} does not exist.`);
}
