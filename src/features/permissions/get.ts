import Type, { type Static } from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { ACCESS_ROLES } from "../../contract/end-user.ts";
import { ServiceError } from "../../contract/errors.ts";
import { operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, keyedById, perId } from "../../contract/schema.ts";
import { type Access, type HeldGrant, selectAccess } from "../access/queries.ts";
import { DocumentIds } from "../documents/document.ts";
import { FolderId } from "../documents/folders/folder.ts";
import { assertNotBeingDeleted } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const Permission = Type.Object({
  accessRole: Type.Optional(Type.Enum(ACCESS_ROLES)),
  accessType: Type.Optional(AccessType),
  expiresAt: Type.Optional(
    Type.Integer({ description: "End of the permission by which the user has access, as Unix time in seconds." }),
  ),
  error: Type.Optional(Type.String({ description: "Says why the user has no access." })),
  errorCode: Type.Optional(Type.Enum(["permission_denied", "does_not_exist"])),
});
type Permission = Static<typeof Permission>;

/** Reads what users may do with an organization, and with folders and documents in it. */
export const getPermissions = operation({
  path: "/v2/auth/permissions/get",
  summary: "Read what users may do",
  description:
    "Answers for each user and resource the role by which the user has access, the access type that applies, and the " +
    "end of the permission, if it has one. A user without access, or unknown, has the `errorCode` " +
    "`permission_denied`. If a folder or document does not exist, the request is NOT_FOUND and `details` has the " +
    "whole answer, with the `errorCode` `does_not_exist`; with `skipResourceExistenceValidation` it is a success.",
  message: "Permissions retrieved.",
  scope: "read",
  request: Type.Object({
    organizationId: Identifier,
    userIds: Identifiers,
    folderIds: Type.Optional(Type.Array(FolderId, { minItems: 1, maxItems: 30 })),
    documentIds: Type.Optional(DocumentIds),
    skipResourceExistenceValidation: Type.Optional(Type.Boolean({ default: false })),
  }),
  response: perId(
    Type.Object({
      organization: perId(Permission),
      folders: Type.Optional(perId(Permission)),
      documents: Type.Optional(perId(Permission)),
    }),
  ),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", userIds: ["grace"] },
  async handle({ workspace, database }, { organizationId, userIds, folderIds, documentIds, ...request }) {
    const { id, defaultDocumentAccessType: defaultType } = workspace;
    const key = organizationKey(id, organizationId);
    const permissionsOf = async (userId: string) => {
      const scope = { organizationKey: key, organizationId, user: { userId, grants: [] }, defaultType };
      const access = await selectAccess(database, scope, { folderIds, documentIds });
      assertNotBeingDeleted(access.block, organizationId);
      const read = (ids: string[], list: "folders" | "documents") =>
        keyedById(ids.map((one) => [one, resourcePermission(access, list, one)]));
      const held = access.isOrganization ? { held: access.organization } : undefined;
      return {
        organization: keyedById([[organizationId, permission(access, held)]]),
        ...(folderIds && { folders: read(folderIds, "folders") }),
        ...(documentIds && { documents: read(documentIds, "documents") }),
      };
    };
    const users = [...new Set(userIds)];
    const permissions = await Promise.all(users.map(permissionsOf));
    const answer = keyedById(permissions.map((one, index) => [users[index] ?? "", one]));
    const asked = permissions.flatMap(({ folders = {}, documents = {} }) =>
      [folders, documents].flatMap(Object.values),
    );
    if (!request.skipResourceExistenceValidation && asked.some(({ errorCode }) => errorCode === "does_not_exist")) {
      throw new ServiceError("not_found", "A folder or document does not exist; `details` names it.", {
        details: answer,
      });
    }
    return answer;
  },
});

function resourcePermission(access: Access, list: "folders" | "documents", id: string): Permission {
  if (list === "folders") return permission(access, access.folders.get(id));
  const document = access.documents.get(id);
  return permission(access, document?.exists ? document : undefined);
}

/** Returns the permission on a resource; undefined does not exist. Nothing is permitted in a disabled organization. */
function permission({ block }: Access, resource?: { accessType?: AccessType; held: HeldGrant | null }): Permission {
  if (!resource) return { error: "The resource does not exist.", errorCode: "does_not_exist" };
  const { accessType, held } = resource;
  const type = accessType === undefined ? {} : { accessType };
  if (!held || block === "disabled") {
    const error = block === "disabled" ? "The organization is disabled." : "The user has no access.";
    return { error, errorCode: "permission_denied", ...type };
  }
  return { ...held, ...type };
}
