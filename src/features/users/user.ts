import Type from "typebox";
import { ACCESS_ROLES } from "../../contract/end-user.ts";
import { Identifier, UrlExpiresAt, UserEmail } from "../../contract/schema.ts";
import type { OmittedFields } from "../../json/record-texts.ts";
import { withMetadata } from "../tenancy/metadata.ts";

const fields = {
  userId: Identifier,
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  photoUrl: Type.Optional(Type.String()),
  photoFileId: Type.Optional(
    Type.String({
      description: "A file of `/v2/files/add`, which then belongs to the user. `photoUrl` is signed when it is read.",
    }),
  ),
  initial: Type.Optional(Type.String({ description: "First letter of the name, unless another one is sent." })),
  accessRole: Type.Optional(
    Type.Enum(ACCESS_ROLES, { description: "Role at the level of the request, if there is one." }),
  ),
};

export const NewUser = withMetadata({ ...fields, email: Type.Optional(UserEmail) });

/** Fields that are not part of the stored record. */
export const OMITTED_FIELDS = { accessRole: undefined } satisfies OmittedFields;

export const UserRecord = Type.Object(
  {
    ...fields,
    photoUrlExpiresAt: Type.Optional(UrlExpiresAt),
  },
  { title: "UserRecord", additionalProperties: true, description: "Further fields are the metadata as sent." },
);
