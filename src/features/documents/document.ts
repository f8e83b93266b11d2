import Type from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import type { OmittedFields } from "../../contract/json-text.ts";
import { Identifier } from "../../contract/schema.ts";
import { withMetadata } from "../tenancy/metadata.ts";

/** Ids of the documents of a request. */
export const DocumentIds = Type.Array(Identifier, { minItems: 1, maxItems: 30 });

/** A document with metadata. */
export const NewDocument = withMetadata({
  documentId: Identifier,
  documentName: Type.Optional(Type.String({ description: "Empty until it is set." })),
});

export const Document = Type.Object(
  {
    id: Type.String(),
    disabled: Type.Boolean({ description: "Whether its organization is disabled." }),
    lastActivity: Type.Integer({
      description:
        "Time of the newest activity, annotation, notification, recording or editor content, or of the creation of " +
        "the document, in milliseconds since the epoch.",
    }),
    documentName: Type.String(),
    accessType: AccessType,
    folderId: Type.Optional(Type.String({ description: "The folder that it is in. Missing outside of any folder." })),
  },
  { additionalProperties: true, description: "Further fields are the metadata as sent." },
);

/** Fields that the service adds itself. */
export const OMITTED_FIELDS = {
  documentId: undefined,
  id: undefined,
  disabled: undefined,
  lastActivity: undefined,
  accessType: undefined,
  folderId: undefined,
} satisfies OmittedFields;
