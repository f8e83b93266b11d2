import Type, { type Static } from "typebox";
import { Identifier } from "../../../contract/schema.ts";

const Level = Type.Enum(["ALL", "MINE", "NONE"]);
export type Level = Static<typeof Level>;

/** The channels to set; others keep their preference. */
export const NewConfig = Type.Refine(
  Type.Object({ inbox: Type.Optional(Level), email: Type.Optional(Level), slack: Type.Optional(Level) }),
  ({ inbox, email, slack }) => (inbox ?? email ?? slack) !== undefined,
  () => "must have at least one of inbox, email, slack",
);

export const NotificationConfig = Type.Object({
  config: Type.Object({
    inbox: Level,
    email: Level,
    slack: Type.Optional(Level),
  }),
  metadata: Type.Object({
    organizationId: Identifier,
    apiKey: Type.String(),
    documentId: Type.Optional(Identifier),
    userId: Identifier,
  }),
});

/** Value that stands for the organization in place of a document id. No document has it. */
export const ORGANIZATION_LEVEL = "";
