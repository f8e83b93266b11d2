import Type, { type Static } from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { ACCESS_ROLES } from "../../contract/end-user.ts";
import { ServiceError } from "../../contract/errors.ts";
import { FolderId } from "../../contract/folder-id.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, keyedById, perId } from "../../contract/schema.ts";
import { selectAccessFields } from "../access/access-context-queries.ts";
import type { EffectiveGrant } from "../access/access-queries.ts";
import { type Access, selectAccess } from "../access/resource-access-queries.ts";
import { DocumentIds } from "../documents/document.ts";
import { assertNotBeingDeleted, describeBlock } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { GET } from "./moderation.ts";

const Permission = Type.Object(
  {
    accessRole: Type.Optional(Type.Enum(ACCESS_ROLES)),
    accessType: Type.Optional(AccessType),
    expiresAt: Type.Optional(
      Type.Integer({ description: "End of the permission by which the user has access, in seconds since the epoch." }),
    ),
    error: Type.Optional(Type.String({ description: "Says why the user has no access." })),
    errorCode: Type.Optional(Type.Enum(["permission_denied", "does_not_exist"])),
  },
  { title: "Permission" },
);
type Permission = Static<typeof Permission>;

const Request = Type.Object({
  organizationId: Identifier,
  userIds: Identifiers,
  folderIds: Type.Optional(Type.Array(FolderId, { minItems: 1, maxItems: 30 })),
  documentIds: Type.Optional(DocumentIds),
  skipResourceExistenceValidation: Type.Optional(Type.Boolean({ default: false })),
});

/** Reads what users may do with an organization, and with folders and documents in it. */
export const getPermissions = operation({
  path: "/v2/auth/permissions/get",
  summary: "Read what users may do",
  description:
    "Returns for each user and resource the role by which the user has access, the access type that applies, and the " +
    "end of the permission, if it has one. A user without access, and every user on a disabled organization or " +
    "document, has the `errorCode` `permission_denied`; `error` says why. An unknown user has access to public " +
    "folders and documents only. `context` has the pairs of access contexts that the user holds, if any. If a folder " +
    "or document does not exist, the request is NOT_FOUND and `details` has the whole response, with the `errorCode` " +
    "`does_not_exist`; with `skipResourceExistenceValidation` it is a success. A user who moderates documents reads " +
    "what others may do in these documents alone.",
  message: "Permissions retrieved.",
  scope: "read",
  request: Request,
  response: perId(
    Type.Object({
      organization: perId(Permission),
      folders: Type.Optional(perId(Permission)),
      documents: Type.Optional(perId(Permission)),
      context: Type.Optional(
        Type.Object({
          accessFields: Type.Array(Type.String(), { description: "Pairs that the user holds, as `field:value`." }),
        }),
      ),
    }),
  ),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  endUsers: GET,
  example: { organizationId: "acme", userIds: ["grace"] },
  handle,
});

async function handle(
  { database, workspace, user: caller }: Context,
  { organizationId, userIds, folderIds, documentIds, ...request }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  // Moderators of documents learn nothing about the organization and the access contexts of others.
  const accessFields = caller ? new Map<string, string[]>() : await selectAccessFields(scope, userIds);
  const getPermissions = async (userId: string) => {
    const fields = accessFields.get(userId);
    const access = await selectAccess(scope, { userId, grants: [] }, { folderIds, documentIds });
    assertNotBeingDeleted(access.block, organizationId);
    const read = (ids: string[], list: "folders" | "documents") =>
      keyedById(ids.map((one) => [one, resourcePermission(access, list, one)]));
    const organization = access.isOrganization ? { grant: access.organization } : undefined;
    return {
      organization: keyedById(caller ? [] : [[organizationId, permission(access, organization)]]),
      ...(folderIds && { folders: read(folderIds, "folders") }),
      ...(documentIds && { documents: read(documentIds, "documents") }),
      ...(fields && { context: { accessFields: fields } }),
    };
  };
  const users = [...new Set(userIds)];
  const permissions = await Promise.all(users.map(getPermissions));
  const response = keyedById(permissions.map((one, index) => [users[index] ?? "", one]));
  const asked = permissions.flatMap(({ folders = {}, documents = {} }) => [folders, documents].flatMap(Object.values));
  if (!request.skipResourceExistenceValidation && asked.some(({ errorCode }) => errorCode === "does_not_exist")) {
    throw new ServiceError("not_found", "A folder or document does not exist; `details` names it.", {
      details: response,
    });
  }
  return response;
}

function resourcePermission(access: Access, list: "folders" | "documents", id: string): Permission {
  if (list === "folders") return permission(access, access.folders.get(id));
  const document = access.documents.get(id);
  return permission({ block: access.block ?? document?.block ?? null }, document?.exists ? document : undefined);
}

/** Returns the permission on a resource; undefined does not exist. Nothing is permitted where there is a block. */
function permission(
  { block }: Pick<Access, "block">,
  resource?: { accessType?: AccessType; grant: EffectiveGrant | null },
): Permission {
  if (!resource) return { error: "The resource does not exist.", errorCode: "does_not_exist" };
  const { accessType, grant } = resource;
  const type = accessType === undefined ? {} : { accessType };
  if (grant && !block) return { ...grant, ...type };
  const reason = block ? describeBlock(block) : "the user has no access";
  const error = `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
  return { error, errorCode: "permission_denied", ...type };
}
