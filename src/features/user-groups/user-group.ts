import Type from "typebox";
import { isIdentifier } from "../../contract/schema.ts";

/** ID of a user group in a request about its users. */
export const GroupId = Type.Refine(
  Type.String({ minLength: 1, maxLength: 256, description: "The `groupId` of the user group." }),
  isIdentifier,
  () => "must be at most 256 UTF-16 units without control characters and lone surrogates",
);

export const UserGroup = Type.Object(
  {
    groupId: Type.String(),
    groupName: Type.String({ description: "Empty until it is set." }),
    userIds: Type.Optional(Type.Array(Type.String(), { description: "Missing for users." })),
  },
  { title: "UserGroup" },
);

/** Returns the JSON text of a serialized new group, without name and members. */
export function groupRecord(groupId: string): { id: string; record: string } {
  return { id: groupId, record: JSON.stringify({ groupId, groupName: "" }) };
}
