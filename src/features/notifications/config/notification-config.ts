import Type, { type Static } from "typebox";
import { Identifier } from "../../../contract/schema.ts";

export const Preference = Type.Enum(["ALL", "MINE", "NONE"]);
export type Preference = Static<typeof Preference>;

/** The channels to set; others keep their preference. */
export const NewConfig = Type.Refine(
  Type.Object({ inbox: Type.Optional(Preference), email: Type.Optional(Preference), slack: Type.Optional(Preference) }),
  ({ inbox, email, slack }) => (inbox ?? email ?? slack) !== undefined,
  () => "must have at least one of inbox, email, slack",
);

export const NotificationConfig = Type.Object(
  {
    config: Type.Object({
      inbox: Preference,
      email: Preference,
      slack: Type.Optional(Preference),
    }),
    metadata: Type.Object({
      organizationId: Identifier,
      apiKey: Type.String(),
      documentId: Type.Optional(Identifier),
      userId: Identifier,
    }),
  },
  { title: "NotificationPreferences" },
);

/** Document ID of preferences for the whole organization. No document has it. */
export const NO_DOCUMENT = "";
