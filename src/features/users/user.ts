import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { withMetadata } from "../tenancy/metadata.ts";

const fields = {
  userId: Identifier,
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  photoUrl: Type.Optional(Type.String()),
  accessRole: Type.Optional(Type.Enum(["viewer", "editor"])),
};

export const NewUser = withMetadata(fields);

export const UserRecord = Type.Object(fields, {
  additionalProperties: true,
  description: "Further fields are the metadata as sent.",
});
