import { EMPTY, identifier, integer, join, type Sql, sql, text, uuid } from "../../database/sql.ts";
import { buildRank, type Field, getLaterWords, startsWith } from "../../database/text-start.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";

/** Number of rows of users that a statement reads at most. */
const USERS_AT_ONCE = 64;

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
  ...getLaterWords(sql`name`),
];
const USER_NAME = sql`search_text(record, 'name')`;
const USER_ID: Field = { value: sql`user_id`, isLowerCase: false };
export const USER_FIELDS: readonly Field[] = [
  USER_ID,
  { value: sql`email`, isLowerCase: true },
  { value: USER_NAME, isLowerCase: true },
];
const DOCUMENT_NAME = sql`search_text(record, 'documentName')`;
export const DOCUMENT_FIELDS: readonly Field[] = [
  { value: sql`document_id`, isLowerCase: false },
  { value: DOCUMENT_NAME, isLowerCase: true },
];

export async function searchOrganizations(
  scope: CrossTenantScope,
  wanted: Search,
): Promise<{ id: string; organizationName: string }[]> {
  const { workspaceId } = wanted;
  const matches = ORGANIZATION_FIELDS.map(
    (field) => sql`(select organization_id, organization_id as id, record, ${buildRank(field, wanted.search)} as rank
      from organizations
      where workspace_id = ${uuid(workspaceId)} and deleted_at is null and ${startsWith(field, wanted.search)}
      order by ${field.value} limit ${integer(wanted.limit)})`,
  );
  const found = await readMatches(scope, matches, wanted);
  return found.map(({ id, record }) => ({ id, organizationName: String(fieldsIn(record).organizationName ?? "") }));
}

/** Finds each user once, in one of the organizations in which they match best. */
export async function searchUsers(
  scope: CrossTenantScope,
  wanted: Search,
): Promise<{ organizationId: string; userId: string; name?: string; email?: string }[]> {
  const found = new Map<string, FoundUser>();
  for (const field of [...USER_FIELDS, ...getLaterWords(USER_NAME)]) {
    for (const user of await selectUsers(scope, field, wanted)) {
      if (user.rank < (found.get(user.id)?.rank ?? Infinity)) found.set(user.id, user);
    }
  }
  const inOrder = [...found.values()].sort((one, other) => one.rank - other.rank || (one.id < other.id ? -1 : 1));
  return inOrder.slice(0, wanted.limit).map(({ organizationId, id, record }) => {
    const { name, email } = fieldsIn(record);
    return {
      ...{ organizationId, userId: id },
      ...(typeof name === "string" && { name }),
      ...(typeof email === "string" && { email }),
    };
  });
}

interface FoundUser extends Found {
  rank: number;
  value: string;
}

/**
 * Reads the first users who match by a field, up to the limit. A user of many organizations has as many rows, so each
 * statement goes on after the user whom the last row of the one before has.
 */
async function selectUsers(scope: CrossTenantScope, field: Field, wanted: Search): Promise<FoundUser[]> {
  const found = new Map<string, FoundUser>();
  for (let last: FoundUser | undefined; ; ) {
    const rows = await scope.run(
      sql<FoundUser>`select organization_id as "organizationId", found.id, found.record::text as record, found.rank,
          found.value
        ${fromOwned("users", "user_id", field, wanted)} ${last ? isAfter(field, last) : EMPTY}
        order by found.value, found.id limit ${integer(USERS_AT_ONCE)}`,
    );
    for (const row of rows) {
      const { organizationId } = found.get(row.id) ?? {};
      if (organizationId === undefined || row.organizationId < organizationId) found.set(row.id, row);
    }
    last = rows.at(-1);
    if (rows.length < USERS_AT_ONCE || found.size >= wanted.limit) return [...found.values()];
  }
}

/** Returns the condition that a user comes after another one in the index of the field. */
function isAfter(field: Field, { value, id }: FoundUser): Sql {
  if (field === USER_ID) return sql`and found.value > ${text(value)}`;
  return sql`and (found.value, found.id) > (${text(value)}, ${text(id)})`;
}

export async function searchDocuments(
  scope: CrossTenantScope,
  wanted: Search,
): Promise<{ organizationId: string; id: string; documentName: string }[]> {
  const matches = [...DOCUMENT_FIELDS, ...getLaterWords(DOCUMENT_NAME)].map(
    (field) => sql`(select organization_id, found.id, found.record, found.rank
      ${fromOwned("documents", "document_id", field, wanted)}
      order by found.value limit ${integer(wanted.limit)})`,
  );
  const found = await readMatches(scope, matches, wanted);
  return found.map(({ organizationId, id, record }) => {
    return { organizationId, id, documentName: String(fieldsIn(record).documentName ?? "") };
  });
}

/** Returns the source of the rows of a workspace that match by a field, which is a range of the field's index. */
function fromOwned(table: string, id: string, field: Field, { workspaceId, search }: Search): Sql {
  return sql`from organizations cross join lateral (
      select ${identifier(id)} as id, record, ${field.value} as value, ${buildRank(field, search)} as rank
      from ${identifier(table)} as owned
      where owned.organization_key = organizations.organization_key and ${startsWith(field, search)}
    ) as found
    where workspace_id = ${uuid(workspaceId)} and deleted_at is null`;
}

/** Returns the matches of all fields, each once, exact ones first. */
function readMatches(scope: CrossTenantScope, matches: Sql[], { limit }: Search): Promise<Found[]> {
  return scope.run(
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
