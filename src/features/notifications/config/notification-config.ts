import Type, { type Static } from "typebox";
import { Identifier } from "../../../contract/schema.ts";

const Level = Type.Enum(["ALL", "MINE", "NONE"]);
export type Level = Static<typeof Level>;

/** The channels of which something is said. */
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

/** Stands for the organization's level where a document's id would stand; no document has it. */
export const ORGANIZATION_LEVEL = "";
