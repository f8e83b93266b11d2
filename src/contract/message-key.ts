import Type from "typebox";
import { Identifier } from "./schema.ts";

/** Key of the message of an activity or notification. */
export const MessageKey = Type.Optional(
  Type.Union([Identifier, Type.Null()], {
    description: "Key by which pages find their own text for the template, such as a translation.",
  }),
);

/** Returns the changes of a record. A new template without a key removes the key, whose texts say something else. */
export function withMessageKey<Fields extends { messageKey?: string | null }>(
  fields: Fields,
  template: string | null | undefined,
): Fields {
  return template === undefined || fields.messageKey !== undefined ? fields : { ...fields, messageKey: undefined };
}
