import Type, { type Static } from "typebox";
import { ACCESS_ROLES, type AccessRole } from "./end-user.ts";
import { ItemResult } from "./schema.ts";

/** Outcome of changing one record. A user may lack the role that the record needs. */
export const ChangeResult = Type.Interface(
  [ItemResult],
  {
    reason: Type.Optional(
      Type.Literal("access_denied", { description: "Present if the user may read the record, but not change it so." }),
    ),
    requiredRole: Type.Optional(Type.Enum(ACCESS_ROLES, { description: "Role with which the user could change it." })),
  },
  { title: "ChangeResult" },
);

/** Returns the item of a record that the user may read but not change so. */
export function deniedItem(requiredRole: AccessRole): Static<typeof ChangeResult> {
  const message = `This change needs the role ${requiredRole} on the document.`;
  return { success: false, message, reason: "access_denied", requiredRole };
}
