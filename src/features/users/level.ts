import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { Identifier } from "../../contract/schema.ts";
import { ORGANIZATION, type Resource } from "../access/grants/queries.ts";
import { FolderId } from "../documents/folders/folder.ts";

/** Fields that name the level of users in a request: a document, a folder, or without them the organization. */
export const LEVEL = { documentId: Type.Optional(Identifier), folderId: Type.Optional(FolderId) };
type Level = { [Field in keyof typeof LEVEL]?: Static<(typeof LEVEL)[Field]> | undefined };

/** Returns the resource on which the users of a level have grants. Throws INVALID_ARGUMENT if there are two. */
export function levelOf({ documentId, folderId }: Level): Resource {
  if (documentId !== undefined && folderId !== undefined) {
    throw invalidField("data.folderId", "must not be sent together with documentId");
  }
  if (documentId !== undefined) return { type: "document", id: documentId };
  return folderId === undefined ? ORGANIZATION : { type: "folder", id: folderId };
}
