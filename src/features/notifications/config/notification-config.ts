import Type, { type Static } from "typebox";
import { Identifier } from "../../../contract/schema.ts";

export const Preference = Type.Enum(["ALL", "MINE", "NONE"]);
export type Preference = Static<typeof Preference>;

const NewPreference = Type.Optional(Type.Union([Preference, Type.Null()], { description: "Null removes it." }));

/** The channels to set, or to unset with null; others keep their preference. */
export const NewConfig = Type.Refine(
  Type.Object({ inbox: NewPreference, email: NewPreference, slack: NewPreference }),
  (config) => Object.keys(config).length > 0,
  () => "must have at least one of inbox, email, slack",
);
export type NewConfig = Static<typeof NewConfig>;

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
