import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { FolderId } from "../../contract/folder-id.ts";
import { Identifier } from "../../contract/schema.ts";
import { ORGANIZATION, type Resource } from "../access/effective-grant-queries.ts";

/** Fields of a request that name whose users it is about: a document, a folder, or without them the organization. */
export const RESOURCE_FIELDS = { documentId: Type.Optional(Identifier), folderId: Type.Optional(FolderId) };
type ResourceFields = { [Field in keyof typeof RESOURCE_FIELDS]?: Static<(typeof RESOURCE_FIELDS)[Field]> | undefined };

/** Returns the fields that name the document or folder, if one is named. */
export function resourceFields({ documentId, folderId }: ResourceFields) {
  return { ...(documentId !== undefined && { documentId }), ...(folderId !== undefined && { folderId }) };
}

/** Returns the resource that a request names. Throws INVALID_ARGUMENT if it names two. */
export function getResource({ documentId, folderId }: ResourceFields): Resource {
  if (documentId !== undefined && folderId !== undefined) {
    throw invalidField("data.folderId", "must not be sent together with documentId");
  }
  if (documentId !== undefined) return { type: "document", id: documentId };
  return folderId === undefined ? ORGANIZATION : { type: "folder", id: folderId };
}
