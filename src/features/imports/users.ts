import Type, { type Static } from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { addGroups } from "../user-groups/add.ts";
import { getGroups } from "../user-groups/get.ts";
import { addGroupUsers } from "../user-groups/users-add.ts";
import { addUsers } from "../users/add.ts";
import { getUsers } from "../users/get.ts";
import { NewUser } from "../users/user.ts";
import { importKind, type Outcome } from "./import-kind.ts";

/** Maximum number of members that one request adds to a user group. */
const MAX_MEMBERS = 1_000;

/** Users of an organization, or of the document that the line names. */
export const users = importKind({
  belongsTo: "organization",
  batchSize: 500,
  schema: NewUser,
  convert: (record) => ({ item: record }),
  async write({ operations }, { organizationId, items }) {
    const outcomes = new Map<object, Outcome>();
    for (const [documentId, group] of Map.groupBy(items, (each) => each.documentId)) {
      const place = { organizationId, ...(documentId !== undefined && { documentId }) };
      const userIds = group.map(({ item }) => item.userId);
      const found = await operations.readAll(getUsers, { ...place, userIds });
      const existing = new Map(found.map((user) => [user.userId, isDescribed(user)]));
      const missing = group
        .map(({ item }) => item)
        .filter((item) => !existing.has(item.userId) || (!existing.get(item.userId) && isDescribed(item)));
      if (missing.length > 0) await operations.call(addUsers, { ...place, users: missing });
      const added = new Set<object>(missing);
      for (const { item } of group) outcomes.set(item, added.has(item) ? "added" : "existed");
    }
    return items.map(({ item }) => outcomes.get(item) ?? "existed");
  },
});

/** Returns whether a user has more than an ID and a role, as after a first use. */
function isDescribed(user: object): boolean {
  return Object.keys(user).some((field) => field !== "userId" && field !== "accessRole");
}

const Group = Type.Object({
  groupId: Identifier,
  groupName: Type.Optional(Type.String()),
  userIds: Type.Optional(Type.Array(Identifier)),
});

/** User groups with their members. */
export const organizationUserGroups = importKind({
  belongsTo: "organization",
  batchSize: 500,
  schema: Group,
  convert: (record) => ({ item: record }),
  async write({ operations }, { organizationId, items }) {
    const organizationUserGroupIds = items.map(({ item }) => item.groupId);
    const found = await operations.readAll(getGroups, { organizationId, organizationUserGroupIds });
    const existing = new Map(found.map((group) => [group.groupId, group]));
    const missing = items.map(({ item }) => item).filter((item) => isNews(item, existing.get(item.groupId)));
    if (missing.length > 0) {
      const groups = missing.map(({ userIds: _, ...group }) => group);
      await operations.call(addGroups, { organizationId, organizationUserGroups: groups });
    }
    for (const { groupId: organizationUserGroupId, userIds = [] } of missing) {
      for (let start = 0; start < userIds.length; start += MAX_MEMBERS) {
        const members = userIds.slice(start, start + MAX_MEMBERS);
        await operations.call(addGroupUsers, { organizationId, organizationUserGroupId, userIds: members });
      }
    }
    const added = new Set<object>(missing);
    return items.map(({ item }): Outcome => (added.has(item) ? "added" : "existed"));
  },
});

/** Returns whether a user group is missing, or has no name and lacks something. */
function isNews(item: Static<typeof Group>, stored: Static<typeof Group> | undefined): boolean {
  if (!stored) return true;
  const members = new Set(stored.userIds);
  return !stored.groupName && (Boolean(item.groupName) || (item.userIds ?? []).some((id) => !members.has(id)));
}
