import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, identifier, join, sql, text, texts, uuid } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { userPages } from "../erasure/users/queries.ts";
import { type AccessBlock, accessBlock } from "../tenancy/queries.ts";

/** Writes users; overwrites those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeUsers(
  transaction: Queryable,
  organizationKey: string,
  users: { id: string; record: string }[],
): Promise<void> {
  const ids = texts(users.map(({ id }) => id));
  const records = texts(users.map(({ record }) => record));
  await transaction.run(
    sql`insert into users (organization_key, user_id, record, record_bytes)
      select ${uuid(organizationKey)}, user_id, record::json, octet_length(record)
      from unnest(${ids}, ${records}) as input (user_id, record)
      order by user_id
      on conflict (organization_key, user_id) do update set
        record = excluded.record, record_bytes = excluded.record_bytes, written_at = excluded.written_at`,
  );
}

/** Replaces locked records. */
export async function replaceUserRecords(
  transaction: Queryable,
  organizationKey: string,
  users: { id: string; record: string }[],
): Promise<void> {
  const ids = texts(users.map(({ id }) => id));
  const records = texts(users.map(({ record }) => record));
  await transaction.run(
    sql`update users set record = merged.record::json, record_bytes = octet_length(merged.record)
      from unnest(${ids}, ${records}) as merged (user_id, record)
      where users.organization_key = ${uuid(organizationKey)} and users.user_id = merged.user_id`,
  );
}

/** Inserts the users that do not exist and leaves the others unchanged. Writes rows in key order. */
export async function insertMissingUsers(
  transaction: Queryable,
  organizationKey: string,
  userIds: string[],
): Promise<void> {
  const records = texts(userIds.map((userId) => JSON.stringify({ userId })));
  await transaction.run(
    sql`insert into users (organization_key, user_id, record, record_bytes)
      select ${uuid(organizationKey)}, user_id, record::json, octet_length(record)
      from unnest(${texts(userIds)}, ${records}) as input (user_id, record)
      order by user_id
      on conflict do nothing`,
  );
}

/** Adds the users to the document. Writes rows in key order to avoid deadlocks. */
export async function writeDocumentUsers(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[],
): Promise<void> {
  await transaction.run(
    sql`insert into document_users (organization_key, document_id, user_id, written_at)
      select ${uuid(organizationKey)}, ${text(documentId)}, user_id, ${NOW_MS}
      from unnest(${texts(userIds)}) as user_id
      order by user_id
      on conflict (organization_key, document_id, user_id) do update set written_at = excluded.written_at`,
  );
}

/** Returns records by id; with `documentId`, only those of the document's users. Locks rows in key order. */
export async function lockUserRecords(
  transaction: Queryable,
  organizationKey: string,
  userIds: string[],
  documentId: string | undefined,
): Promise<Map<string, string>> {
  const belongs =
    documentId === undefined
      ? EMPTY
      : sql`and exists (select from document_users
          where organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)}
            and document_users.user_id = users.user_id)`;
  const rows = await transaction.run(
    sql<{ id: string; record: string }>`select user_id as id, record::text as record from users
      where organization_key = ${uuid(organizationKey)} and user_id = any(${texts(userIds)}) ${belongs}
      order by user_id for update`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Deletes locked users with their group memberships and document access. */
export async function deleteUserRows(
  transaction: Queryable,
  organizationKey: string,
  userIds: string[],
): Promise<void> {
  const isTheirs = sql`organization_key = ${uuid(organizationKey)} and user_id = any(${texts(userIds)})`;
  await transaction.run(
    sql`with membership as (
      delete from user_group_members where ${isTheirs}
    ), document_user as (
      delete from document_users where ${isTheirs}
    )
    delete from users where ${isTheirs}`,
  );
}

/** Removes locked users from the document; their records stay. */
export async function deleteDocumentUsers(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[],
): Promise<void> {
  await transaction.run(
    sql`delete from document_users
      where organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)}
        and user_id = any(${texts(userIds)})`,
  );
}

interface Filters {
  userIds?: string[] | undefined;
  organizationUserGroupIds?: string[] | undefined;
  documentId?: string | undefined;
}

/**
 * Reads one page of the matching users by id. It reads the members of a document, or of the only group, in their order
 * and looks up each user; the limit of one keeps the planner from joining whole tables.
 */
export function selectUsersPage(
  database: Queryable,
  organizationKey: string,
  { documentId, organizationUserGroupIds: groupIds, userIds }: Filters,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const organization = uuid(organizationKey);
  const conditions = [sql`listed.organization_key = ${organization}`];
  if (userIds) conditions.push(sql`listed.user_id = any(${texts(userIds)})`);
  let list = "users";
  if (documentId !== undefined) {
    list = "document_users";
    conditions.push(sql`listed.document_id = ${text(documentId)}`);
  }
  const [groupId] = groupIds ?? [];
  if (groupId !== undefined && groupIds?.length === 1 && documentId === undefined) {
    list = "user_group_members";
    conditions.push(sql`listed.group_id = ${text(groupId)}`);
  } else if (groupIds) {
    conditions.push(sql`exists (select from user_group_members member
      where member.organization_key = ${organization} and member.group_id = any(${texts(groupIds)})
        and member.user_id = listed.user_id)`);
  }
  const found = sql`cross join lateral (
    select record, record_bytes from users
    where organization_key = ${organization} and user_id = listed.user_id limit 1
  ) as found`;
  return selectPageOfRecords(database, {
    source: sql`from ${identifier(list)} listed ${list === "users" ? EMPTY : found} where ${join(conditions, " and ")}`,
    keys: ["user_id"],
    keyType: "text",
    order: "asc",
    extra: accessBlock(organizationKey),
    ...page,
  });
}

/**
 * Reads one page of a user's records in all organizations of a workspace that are not being deleted, by organization.
 * The user is given by id or by an address in lower case. Costs one index look-up for each organization.
 */
export function selectWorkspaceUsersPage(
  database: Queryable,
  workspaceId: string,
  user: { userId: string } | { email: string },
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<null, string>> {
  const isUser = "userId" in user ? sql`users.user_id = ${text(user.userId)}` : sql`users.email = ${text(user.email)}`;
  return selectPageOfRecords(database, {
    source: sql`from (
      select organization_id, user_id, found.record_bytes,
        '{"organizationId":' || to_json(organization_id)::text || ',"user":' || found.record::text || '}' as record
      from organizations cross join lateral (
        select user_id, users.record, users.record_bytes from users
        where users.organization_key = organizations.organization_key and ${isUser} offset 0
      ) as found
      where workspace_id = ${uuid(workspaceId)} and deleted_at is null
    ) as found where true`,
    keys: ["organization_id", "user_id"],
    keyType: "text",
    order: "asc",
    extra: sql`null`,
    ...page,
  });
}

/** Reads the user's record. */
export const selectUserExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from users where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  keys: ["user_id"],
  keyType: "text",
});

/** Reads one page of the documents that the user belongs to, by id. */
export const selectDocumentsPage = userPages({
  source: ({ organizationKey, userId }) => sql`from (
    select document_id, json_build_object('documentId', document_id) as record, 0 as record_bytes
    from document_users where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
  ) as document where true`,
  keys: ["document_id"],
  keyType: "text",
});
