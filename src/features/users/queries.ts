import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import type { SelectValue } from "../../database/shared-select.ts";
import { userPages } from "../erasure/users/queries.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../tenancy/queries.ts";

/** Overwrites those that exist. In the order of the ids, so that two calls never wait for each other in a circle. */
export async function writeUsers(
  transaction: Queryable,
  organizationKey: string,
  users: { id: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `insert into users (organization_key, user_id, record, record_bytes)
     select $1, user_id, record::json, octet_length(record)
     from unnest($2::text[], $3::text[]) as given (user_id, record)
     order by user_id
     on conflict (organization_key, user_id) do update set
       record = excluded.record, record_bytes = excluded.record_bytes, written_at = excluded.written_at`,
    [organizationKey, users.map(({ id }) => id), users.map(({ record }) => record)],
  );
}

/** Of locked records. */
export async function replaceRecords(
  transaction: Queryable,
  organizationKey: string,
  users: { id: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `update users set record = merged.record::json, record_bytes = octet_length(merged.record)
     from unnest($2::text[], $3::text[]) as merged (user_id, record)
     where users.organization_key = $1 and users.user_id = merged.user_id`,
    [organizationKey, users.map(({ id }) => id), users.map(({ record }) => record)],
  );
}

/** Those that exist stay as they are. */
export async function insertMissingUsers(
  transaction: Queryable,
  organizationKey: string,
  userIds: string[],
): Promise<void> {
  await transaction.query(
    `insert into users (organization_key, user_id, record, record_bytes)
     select $1, user_id, record::json, octet_length(record)
     from unnest($2::text[], $3::text[]) as given (user_id, record)
     order by user_id
     on conflict do nothing`,
    [organizationKey, userIds, userIds.map((userId) => JSON.stringify({ userId }))],
  );
}

/** Makes the users belong to the document. */
export async function writeDocumentUsers(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[],
): Promise<void> {
  await transaction.query(
    `insert into document_users (organization_key, document_id, user_id, written_at)
     select $1, $2, user_id, ${NOW_MS}
     from unnest($3::text[]) as user_id
     order by user_id
     on conflict (organization_key, document_id, user_id) do update set written_at = excluded.written_at`,
    [organizationKey, documentId, userIds],
  );
}

/** Records by id, with `documentId` only of users who belong to it. Locks in the order of the ids. */
export async function lockRecords(
  transaction: Queryable,
  organizationKey: string,
  userIds: string[],
  documentId: string | undefined,
): Promise<Map<string, string>> {
  const belongs = `and exists (select from document_users
    where organization_key = $1 and document_id = $3 and document_users.user_id = users.user_id)`;
  const { rows } = await transaction.query<{ id: string; record: string }>(
    `select user_id as id, record::text as record from users
     where organization_key = $1 and user_id = any($2) ${documentId === undefined ? "" : belongs}
     order by user_id for update`,
    [organizationKey, userIds, ...(documentId === undefined ? [] : [documentId])],
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** With their places in groups and documents. Needs the rows to be locked. */
export async function deleteUsers(transaction: Queryable, organizationKey: string, userIds: string[]): Promise<void> {
  await transaction.query(
    `with membership as (
       delete from user_group_members where organization_key = $1 and user_id = any($2)
     ), place as (
       delete from document_users where organization_key = $1 and user_id = any($2)
     )
     delete from users where organization_key = $1 and user_id = any($2)`,
    [organizationKey, userIds],
  );
}

/** The users go on to exist. Needs their rows to be locked. */
export async function deleteDocumentUsers(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[],
): Promise<void> {
  await transaction.query(
    "delete from document_users where organization_key = $1 and document_id = $2 and user_id = any($3)",
    [organizationKey, documentId, userIds],
  );
}

interface Filters {
  userIds?: string[] | undefined;
  organizationUserGroupIds?: string[] | undefined;
  documentId?: string | undefined;
}

/**
 * One page by id of what matches every filter. It reads the members of a document, or of the only group, in their
 * order, and finds the users to them; the limit of one keeps the planner from joining whole tables.
 */
export async function selectPage(
  database: Queryable,
  organizationKey: string,
  { documentId, organizationUserGroupIds: groupIds, userIds }: Filters,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const values: SelectValue[] = [organizationKey];
  const parameter = (value: SelectValue) => `$${values.push(value)}`;
  const conditions = ["listed.organization_key = $1"];
  if (userIds) conditions.push(`listed.user_id = any(${parameter(userIds)})`);
  let list = "users";
  if (documentId !== undefined) {
    list = "document_users";
    conditions.push(`listed.document_id = ${parameter(documentId)}`);
  }
  const [groupId] = groupIds ?? [];
  if (groupId !== undefined && groupIds?.length === 1 && documentId === undefined) {
    list = "user_group_members";
    conditions.push(`listed.group_id = ${parameter(groupId)}`);
  } else if (groupIds) {
    conditions.push(`exists (select from user_group_members member
      where member.organization_key = $1 and member.group_id = any(${parameter(groupIds)})
        and member.user_id = listed.user_id)`);
  }
  const found = `cross join lateral (
    select record, record_bytes from users where organization_key = $1 and user_id = listed.user_id limit 1
  ) as found`;
  return selectPageOfRecords(database, {
    source: `from ${list} listed ${list === "users" ? "" : found} where ${conditions.join(" and ")}`,
    keys: ["user_id"],
    order: "asc",
    values,
    extra: ACCESS_BLOCK,
    ...page,
  });
}

/**
 * The records of one person in all organizations of a workspace, but those that are being deleted, by organization and
 * user: of a user id, or of an address in lower case. One look into an index for each organization.
 */
export async function selectWorkspacePage(
  database: Queryable,
  workspaceId: string,
  person: { userId: string } | { email: string },
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<null, string>> {
  const [column, value] = "userId" in person ? ["user_id", person.userId] : ["email", person.email];
  return selectPageOfRecords(database, {
    source: `from (
      select organization_id, user_id, found.record_bytes,
        '{"organizationId":' || to_json(organization_id)::text || ',"user":' || found.record::text || '}' as record
      from organizations cross join lateral (
        select user_id, users.record, users.record_bytes from users
        where users.organization_key = organizations.organization_key and users.${column} = $2 offset 0
      ) as found
      where workspace_id = $1 and deleted_at is null
    ) as found where true`,
    keys: ["organization_id", "user_id"],
    order: "asc",
    values: [workspaceId, value],
    extra: "null",
    ...page,
  });
}

/** The user's record. */
export const selectUserPage = userPages({
  source: `from users where organization_key = $1 and user_id = $2`,
  keys: ["user_id"],
});

/** The documents that the user belongs to, by id. */
export const selectDocumentsPage = userPages({
  source: `from (
    select document_id, json_build_object('documentId', document_id) as record, 0 as record_bytes
    from document_users where organization_key = $1 and user_id = $2
  ) as place where true`,
  keys: ["document_id"],
});
