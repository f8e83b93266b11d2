import type { AccessRole } from "../../../contract/end-user.ts";
import { selectOrderedPage } from "../../../database/ordered-page.ts";
import { join, type Parameter, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import { buildSearch } from "../../../database/text-search.ts";
import { IS_EFFECTIVE, matchesUser, ORGANIZATION } from "../../access/effective-grant-queries.ts";
import { USER_TEXTS } from "../../search/search-queries.ts";
import { buildLastActivityBy } from "../../tenancy/last-activity-queries.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { UserStatistics } from "./schema.ts";

/** What the users of an organization can be ordered by. */
export const USER_ORDERS = ["id", "name", "documents", "lastActivityAt"] as const;
type OrderBy = (typeof USER_ORDERS)[number];

interface Filters {
  userIds?: readonly string[] | undefined;
  search?: string | undefined;
  /** Only the members of this user group. */
  groupId?: string | undefined;
}

interface PageRequest {
  orderBy: OrderBy;
  order: "asc" | "desc";
  pageSize: number;
  after: string[] | undefined;
}

/** Columns of `buildStatistics`. */
export interface Statistics {
  accessRole: AccessRole | null;
  isInOrganization: boolean;
  documents: number;
  lastActivityAt: number | null;
}

/** The key of an organization, or the column that has it. */
type Organization = Parameter | Sql;

const TEXTS: readonly OrderBy[] = ["id", "name"];

/** Returns a subselect of the effective grants of a user. */
function selectFromGrants(selected: Sql, organization: Organization, condition: Sql): Sql {
  return sql`(select ${selected} from grants
    where grants.organization_key = ${organization} and grants.user_id = person.user_id and ${condition}
      and ${IS_EFFECTIVE})`;
}

function buildDocuments(organization: Organization): Sql {
  return selectFromGrants(sql`count(*)`, organization, sql`grants.document_id <> ''`);
}

function buildLastActivity(organization: Organization): Sql {
  return buildLastActivityBy(organization, sql`person.user_id`);
}

/** Returns the columns of a user's place in the organization and statistics. */
export function buildStatistics(organization: Organization): Sql {
  const isOnOrganization = sql`grants.resource_type = 'organization' and grants.resource_id = ''`;
  return sql`${selectFromGrants(sql`access_role`, organization, isOnOrganization)} as "accessRole",
    ${matchesUser(organization, ORGANIZATION, sql`person`)} as "isInOrganization",
    ${buildDocuments(organization)} as documents, ${buildLastActivity(organization)} as "lastActivityAt"`;
}

/** Returns the text or number to order by. */
function orderedValue(orderBy: OrderBy, organization: Organization): Sql {
  const values: Record<OrderBy, Sql> = {
    id: sql`person.user_id`,
    name: sql`coalesce(nullif(person.name, ''), nullif(email, ''), lower(person.user_id))`,
    documents: buildDocuments(organization),
    lastActivityAt: sql`coalesce(${buildLastActivity(organization)}, 0)`,
  };
  return values[orderBy];
}

/** Reads one page of the matching users with their statistics, and counts all matches. */
export async function selectUserStatistics(
  scope: OrganizationScope,
  { userIds, search, groupId }: Filters,
  { orderBy, ...page }: PageRequest,
): Promise<{ users: UserStatistics[]; totalCount: number; next: string[] | undefined }> {
  const organization = uuid(scope.key);
  const conditions = [sql`person.organization_key = ${organization}`];
  if (userIds !== undefined) conditions.push(sql`person.user_id = any(${texts(userIds)})`);
  if (search !== undefined) conditions.push(buildSearch(USER_TEXTS, search));
  if (groupId !== undefined) {
    conditions.push(sql`exists (select 1 from user_group_members member
      where member.organization_key = ${organization} and member.group_id = ${text(groupId)}
        and member.user_id = person.user_id)`);
  }
  const rows = {
    source: sql`from users person where ${join(conditions, " and ")}`,
    id: sql`person.user_id`,
    value: orderedValue(orderBy, organization),
    isText: TEXTS.includes(orderBy),
  };
  const { ids, totalCount, next } = await selectOrderedPage(scope, rows, page);
  const found = await scope.run(
    sql<Statistics & { userId: string; record: string }>`
      select user_id as "userId", record::text as record, ${buildStatistics(organization)}
      from users person where organization_key = ${organization} and user_id = any(${texts(ids)})`,
  );
  const users = new Map(found.map(({ record, ...statistics }) => [statistics.userId, withRecord(record, statistics)]));
  return { users: ids.flatMap((id) => users.get(id) ?? []), totalCount, next };
}

/** Adds name and address from the stored record. PostgreSQL cannot read a text with the character U+0000. */
export function withRecord(
  record: string,
  { accessRole, ...statistics }: Statistics & { userId: string },
): UserStatistics {
  const { name, email }: { name?: string; email?: string } = JSON.parse(record);
  return {
    ...statistics,
    ...(accessRole !== null && { accessRole }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}
