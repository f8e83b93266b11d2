import Type from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import type { OmittedFields } from "../../contract/json-text.ts";
import { Identifier } from "../../contract/schema.ts";
import { withMetadata } from "../tenancy/metadata.ts";

/** Ids of the documents of a request. */
export const DocumentIds = Type.Array(Identifier, { minItems: 1, maxItems: 30 });

/** A document with metadata. Fields that only the service sets are refused, since they would have no effect. */
export const NewDocument = withMetadata(
  { documentId: Identifier, documentName: Type.Optional(Type.String({ description: "Empty until it is set." })) },
  ["accessType", "disabled", "folderId", "id", "lastActivity"],
);

export const Document = Type.Object(
  {
    id: Type.String(),
    disabled: Type.Boolean({ description: "Whether it or its organization is disabled." }),
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

/** Fields that are no part of the stored record. */
export const OMITTED_FIELDS = { documentId: undefined } satisfies OmittedFields;
