import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { Identifier } from "../../../contract/schema.ts";

/** Fields that name a collaborative document. */
export const DOCUMENT_REF_FIELDS = { organizationId: Identifier, documentId: Identifier, editorId: Identifier };

export const VersionKind = Type.Enum(["named", "automatic"]);

export type VersionKind = Static<typeof VersionKind>;

export const VersionSummary = Type.Object(
  {
    id: Type.String({ examples: ["signed"] }),
    kind: VersionKind,
    name: Type.Union([Type.String(), Type.Null()], {
      description: "Null for an automatic version.",
      examples: ["Signed"],
    }),
    userIds: Type.Array(Type.String(), {
      description: "Users who changed the content since the version before. Users who were deleted are missing.",
      examples: [["ada"]],
    }),
    createdAt: Type.Integer({ description: "Milliseconds since the epoch." }),
  },
  { title: "CollaborativeDocumentVersion" },
);

export function versionNotFound(versionId: string): ServiceError {
  return new ServiceError("not_found", `The collaborative document has no version ${JSON.stringify(versionId)}.`);
}
