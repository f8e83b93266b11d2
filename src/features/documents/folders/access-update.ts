import Type, { type Static } from "typebox";
import { AccessType } from "../../../contract/access-type.ts";
import { FolderId } from "../../../contract/folder-id.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, keyedById, perId } from "../../../contract/schema.ts";
import { recordAccessChange } from "../../event-log/record-events.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { AccessResult } from "../access-result.ts";
import { lockFolderTree, selectFolderPlaces, setFolderTypes } from "./folder-queries.ts";

const Request = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    folderIds: Type.Array(FolderId, { minItems: 1, maxItems: 1000 }),
    accessType: Type.Optional(AccessType),
    inheritFromParent: Type.Optional(Type.Boolean()),
  }),
  ({ accessType, inheritFromParent }) =>
    accessType === undefined ? inheritFromParent !== undefined : inheritFromParent !== true,
  () => "must have accessType or inheritFromParent, and not accessType together with inheritFromParent: true",
);

/** Sets or drops the folders' own access type. Takes effect for everything in them that inherits it. */
export const updateFolderAccess = operation({
  path: "/v2/organizations/folders/access/update",
  aliases: ["/v1/organizations/folders/access/update"],
  summary: "Update the access types of folders",
  description:
    "`accessType` becomes the folders' own type, which everything in them inherits that has none. " +
    "`inheritFromParent: true` drops it; `false` alone makes the type that applies at present their own. The " +
    "`accessType` of an item is null if the folder inherits. A missing folder fails alone.",
  message: "Folders' access updated.",
  scope: "write",
  request: Request,
  response: perId(AccessResult),
  audit: "folder_access.update",
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", folderIds: ["contracts"], accessType: "restricted" },
  handle,
});

async function handle(
  { database, workspace, audit }: Context,
  { organizationId, folderIds, accessType, inheritFromParent }: Static<typeof Request>,
) {
  const defaultType = workspace.defaultDocumentAccessType;
  const ownType = inheritFromParent === true ? null : accessType;
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    await lockFolderTree(scope);
    await requireAccessible(scope);
    const places = await selectFolderPlaces(scope, folderIds);
    const ids = [...places.keys()];
    if (ids.length === 0) return places;
    await setFolderTypes(scope, ids, ownType, defaultType);
    await recordAccessChange(scope);
    await audit(scope, {
      organizationId,
      folderIds: ids,
      accessType: ownType === null ? "inherited" : (ownType ?? "kept"),
    });
    return places;
  });
  const sent = inheritFromParent === undefined ? {} : { inheritFromParent };
  return keyedById<AccessResult>(
    folderIds.map((id) => {
      const place = found.get(id);
      if (!place) return [id, { success: false, code: "not-found", message: "Folder not found." }];
      const type = ownType === undefined ? (place.effectiveType ?? defaultType) : ownType;
      return [id, { success: true, message: "Folder access updated.", accessType: type, ...sent }];
    }),
  );
}
