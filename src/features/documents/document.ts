import Type from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { Identifier } from "../../contract/schema.ts";
import type { OmittedFields } from "../../json/record-texts.ts";
import { withMetadata } from "../tenancy/metadata.ts";

/** Ids of the documents of a request. */
export const DocumentIds = Type.Array(Identifier, { minItems: 1, maxItems: 30 });

/** Names of fields that only the service sets, so that they are not metadata. */
export const SET_BY_SERVICE = ["accessType", "disabled", "folderId", "id", "lastActivity"];

/** A document with metadata. Fields that only the service sets are rejected, since they would have no effect. */
export const NewDocument = withMetadata(
  { documentId: Identifier, documentName: Type.Optional(Type.String({ description: "Empty until it is set." })) },
  SET_BY_SERVICE,
);

export const Document = Type.Object(
  {
    id: Type.String(),
    disabled: Type.Boolean({ description: "Whether it or its organization is disabled." }),
    lastActivity: Type.Integer({
      description:
        "Time of the newest activity, annotation, notification, recording or change of a collaborative document, or, " +
        "without any, of the creation of the document, in milliseconds since the epoch.",
    }),
    documentName: Type.String(),
    accessType: AccessType,
    folderId: Type.Optional(Type.String({ description: "The folder that it is in. Missing outside of any folder." })),
  },
  { title: "Document", additionalProperties: true, description: "Further fields are the metadata as sent." },
);

/** Fields that are not part of the stored record. */
export const OMITTED_FIELDS = { documentId: undefined } satisfies OmittedFields;
