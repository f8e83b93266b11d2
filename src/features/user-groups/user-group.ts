import Type from "typebox";

export const UserGroup = Type.Object({
  groupId: Type.String(),
  groupName: Type.String({ description: "Empty until it is set." }),
  userIds: Type.Array(Type.String()),
});

/** The JSON text that will be sent, but for the members. */
export function groupRecord(groupId: string, groupName = ""): { id: string; record: string } {
  return { id: groupId, record: JSON.stringify({ groupId, groupName }) };
}
