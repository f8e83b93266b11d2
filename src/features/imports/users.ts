import Type, { type Static } from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { addGroups } from "../user-groups/add.ts";
import { getGroups } from "../user-groups/get.ts";
import { addGroupUsers } from "../user-groups/users-add.ts";
import { addUsers } from "../users/add.ts";
import { getUsers } from "../users/get.ts";
import { resourceFields } from "../users/resource.ts";
import { NewUser } from "../users/user.ts";
import { lockAllUserRecords } from "../users/user-queries.ts";
import { importKind, type Outcome } from "./import-kind.ts";
import { toImportedRole } from "./roles.ts";
import { splitIntoChunks } from "./split-into-chunks.ts";

/** Maximum number of members that one request adds to a user group. */
const MAX_MEMBERS = 1_000;

/** Users of an organization, or of the folder or document that the line names. */
export const users = importKind({
  belongsTo: "resource",
  batchSize: 500,
  schema: NewUser,
  convert: ({ initial, accessRole, photoFileId: _, photoUrlExpiresAt: __, ...record }) => {
    const role = toImportedRole(accessRole);
    return {
      item: {
        ...record,
        ...(initial !== undefined && initial !== firstLetter(record.name) && { initial }),
        ...(role !== undefined && { accessRole: role }),
      },
    };
  },
  async write({ operations, transaction, workspace }, { organizationId, items }) {
    const outcomes = new Map<object, Outcome>();
    const scope = openOrganization(transaction, workspace, organizationId);
    const itemsByResource = Map.groupBy(items, ({ documentId, folderId }) => JSON.stringify([documentId, folderId]));
    for (const group of itemsByResource.values()) {
      const request = { organizationId, ...resourceFields(group[0] ?? {}) };
      const userIds = group.map(({ item }) => item.userId);
      const records = await lockAllUserRecords(scope, userIds);
      const listed = await operations.readAll(getUsers, { ...request, userIds });
      const roles = new Map(listed.map(({ userId, accessRole }) => [userId, accessRole]));
      const missing = group.flatMap(({ item }) => {
        const stored: Static<typeof NewUser> = JSON.parse(records.get(item.userId) ?? "{}");
        const lacksRole = item.accessRole !== undefined && roles.get(item.userId) === undefined;
        const isListed = roles.has(item.userId) && !lacksRole;
        if (isDescribed(stored)) return isListed ? [] : [{ item, user: withImportedRole(item, stored) }];
        return isListed && !isDescribed(item) ? [] : [{ item, user: item }];
      });
      if (missing.length > 0) await operations.call(addUsers, { ...request, users: missing.map(({ user }) => user) });
      const added = new Set<object>(missing.map(({ item }) => item));
      for (const { item } of group) outcomes.set(item, added.has(item) ? "added" : "existed");
    }
    return items.map(({ item }) => outcomes.get(item) ?? "existed");
  },
});

/** Returns the initial that a user has unless another one is sent. */
function firstLetter(name: unknown): string | undefined {
  return typeof name === "string" ? [...name][0] : undefined;
}

/** Returns a stored user with the role of an imported one, who keeps the record and gets the permission. */
function withImportedRole(
  { accessRole }: Static<typeof NewUser>,
  stored: Static<typeof NewUser>,
): Static<typeof NewUser> {
  return accessRole === undefined ? stored : { ...stored, accessRole };
}

/** Returns whether a user has more than an ID and a role, which implicit creation sets. */
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
    const missing = items.map(({ item }) => item).filter((item) => needsWriting(item, existing.get(item.groupId)));
    if (missing.length > 0) {
      const groups = missing.map(({ userIds: _, ...group }) => group);
      await operations.call(addGroups, { organizationId, organizationUserGroups: groups });
    }
    for (const { groupId: organizationUserGroupId, userIds = [] } of missing) {
      for (const members of splitIntoChunks(userIds, MAX_MEMBERS)) {
        await operations.call(addGroupUsers, { organizationId, organizationUserGroupId, userIds: members });
      }
    }
    const added = new Set<object>(missing);
    return items.map(({ item }): Outcome => (added.has(item) ? "added" : "existed"));
  },
});

/** Returns whether a user group is missing, or has no name and lacks something. */
function needsWriting(item: Static<typeof Group>, stored: Static<typeof Group> | undefined): boolean {
  if (!stored) return true;
  const members = new Set(stored.userIds);
  return !stored.groupName && (Boolean(item.groupName) || (item.userIds ?? []).some((id) => !members.has(id)));
}
