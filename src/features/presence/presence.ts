import Type from "typebox";
import { REQUEST_LIMITS } from "../../config/limits.ts";
import { Identifier, UserEmail } from "../../contract/schema.ts";

/** A bounded text: the presence list of a document has no pages. */
const ShortText = Type.String({ maxLength: REQUEST_LIMITS.shortText });

const Status = Type.Enum(["online", "away", "offline"], { default: "online" });

export const NewPresence = Type.Object({
  userId: Identifier,
  name: Type.Optional(ShortText),
  email: Type.Optional(UserEmail),
  status: Type.Optional(Status),
});

export const Presence = Type.Object(
  {
    userId: Identifier,
    name: Type.Optional(ShortText),
    email: Type.Optional(ShortText),
    status: Status,
    lastActive: Type.Integer({
      description: "Time of the last renewal, by a heartbeat or a connection, in milliseconds since the epoch.",
    }),
  },
  { title: "Presence" },
);
