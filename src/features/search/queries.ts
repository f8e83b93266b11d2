import { identifier, integer, join, type Sql, sql, uuid } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { type Field, rankOf, startsWith } from "../../database/text-start.ts";

interface Search {
  workspaceId: string;
  search: string;
  limit: number;
}

interface Found {
  organizationId: string;
  id: string;
  /** JSON text of the record, or null if none was sent. */
  record: string | null;
}

const ORGANIZATION_FIELDS: readonly Field[] = [
  { value: sql`organization_id`, isLowerCase: false },
  { value: sql`name`, isLowerCase: true },
];
export const USER_FIELDS: readonly Field[] = [
  { value: sql`user_id`, isLowerCase: false },
  { value: sql`email`, isLowerCase: true },
  { value: sql`search_text(record, 'name')`, isLowerCase: true },
];
export const DOCUMENT_FIELDS: readonly Field[] = [
  { value: sql`document_id`, isLowerCase: false },
  { value: sql`search_text(record, 'documentName')`, isLowerCase: true },
];

export async function searchOrganizations(
  database: Queryable,
  wanted: Search,
): Promise<{ id: string; organizationName: string }[]> {
  const { workspaceId } = wanted;
  const matches = ORGANIZATION_FIELDS.map(
    (field) => sql`(select organization_id, organization_id as id, record, ${rankOf(field, wanted.search)} as rank
      from organizations
      where workspace_id = ${uuid(workspaceId)} and deleted_at is null and ${startsWith(field, wanted.search)}
      order by ${field.value} limit ${integer(wanted.limit)})`,
  );
  const found = await readMatches(database, matches, wanted);
  return found.map(({ id, record }) => ({ id, organizationName: String(fieldsIn(record).organizationName ?? "") }));
}

export async function searchUsers(
  database: Queryable,
  wanted: Search,
): Promise<{ organizationId: string; userId: string; name?: string; email?: string }[]> {
  const found = await readMatches(database, ownedMatches("users", "user_id", USER_FIELDS, wanted), wanted);
  return found.map(({ organizationId, id, record }) => {
    const { name, email } = fieldsIn(record);
    return {
      ...{ organizationId, userId: id },
      ...(typeof name === "string" && { name }),
      ...(typeof email === "string" && { email }),
    };
  });
}

export async function searchDocuments(
  database: Queryable,
  wanted: Search,
): Promise<{ organizationId: string; id: string; documentName: string }[]> {
  const found = await readMatches(database, ownedMatches("documents", "document_id", DOCUMENT_FIELDS, wanted), wanted);
  return found.map(({ organizationId, id, record }) => {
    return { organizationId, id, documentName: String(fieldsIn(record).documentName ?? "") };
  });
}

/** Returns the selects of the matches by each field. Each reads a range of the field's index, up to the limit. */
function ownedMatches(table: string, id: string, fields: readonly Field[], wanted: Search): Sql[] {
  return fields.map(
    (field) => sql`(select organization_id, found.id, found.record, found.rank
      from organizations cross join lateral (
        select ${identifier(id)} as id, record, ${field.value} as value, ${rankOf(field, wanted.search)} as rank
        from ${identifier(table)} as owned
        where owned.organization_key = organizations.organization_key and ${startsWith(field, wanted.search)}
      ) as found
      where workspace_id = ${uuid(wanted.workspaceId)} and deleted_at is null
      order by found.value limit ${integer(wanted.limit)})`,
  );
}

/** Returns the matches of all fields, each once, exact ones first. */
function readMatches(database: Queryable, matches: Sql[], { limit }: Search): Promise<Found[]> {
  return database.run(
    sql<Found>`select organization_id as "organizationId", id, min(record::text) as record
      from (${join(matches, " union all ")}) as match
      group by organization_id, id order by min(rank), id, organization_id limit ${integer(limit)}`,
  );
}

/** Returns the fields of a stored record. */
function fieldsIn(record: string | null): {
  [Name in "organizationName" | "name" | "email" | "documentName"]?: unknown;
} {
  return JSON.parse(record ?? "{}");
}
