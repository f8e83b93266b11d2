import Type from "typebox";

export const UserGroup = Type.Object(
  {
    groupId: Type.String(),
    groupName: Type.String({ description: "Empty until it is set." }),
    userIds: Type.Array(Type.String()),
  },
  { title: "UserGroup" },
);

/** Returns the JSON text of a serialized new group, without name and members. */
export function groupRecord(groupId: string): { id: string; record: string } {
  return { id: groupId, record: JSON.stringify({ groupId, groupName: "" }) };
}
