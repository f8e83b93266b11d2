import Type, { type Static } from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { ItemResult } from "../../contract/schema.ts";

/** Outcome of changing the access type of one folder or document. `accessType` is null if it inherits. */
export const AccessResult = Type.Interface(
  [ItemResult],
  {
    code: Type.Optional(Type.Literal("not-found")),
    accessType: Type.Optional(Type.Union([AccessType, Type.Null()])),
    inheritFromParent: Type.Optional(Type.Boolean()),
  },
  { title: "AccessResult" },
);
export type AccessResult = Static<typeof AccessResult>;
