import type { OrganizationKey } from "../../database/keys.ts";
import { EMPTY, identifier, integer, join, type Sql, sql, text, texts, uuid, uuids } from "../../database/sql.ts";
import type { CrossTenantScope } from "./organization-scope.ts";
import { buildKeyDigits, KEY_DIGITS } from "./tenancy-queries.ts";

/** What rows of all organizations of a workspace can be ordered by. The other one orders those that are equal. */
export const WORKSPACE_ORDERS = ["organization", "id"] as const;

/** Rows of a table that begins its primary key with the organization and the ID. */
interface OwnedRows {
  table: string;
  /** Name of a row in `conditions` and `statistics`. */
  alias: string;
  /** Column of the ID. */
  id: string;
  conditions: readonly Sql[];
  /** Whether the conditions are a search, which looks at every row and not only the first ones in ID order. */
  isSearch: boolean;
  /** Conditions of the organizations. */
  organizationConditions: readonly Sql[];
  /** Further columns of the response, over the row. */
  statistics: Sql;
}

export interface WorkspacePageRequest {
  orderBy: (typeof WORKSPACE_ORDERS)[number];
  order: "asc" | "desc";
  pageSize: number;
  /** Organization and ID of the row that the page comes after. */
  after: string[] | undefined;
}

/** What identifies a row of the page. */
interface RowKey {
  organizationKey: OrganizationKey;
  organizationId: string;
  id: string;
}

interface WorkspacePage<Statistics> {
  rows: (Statistics & RowKey)[];
  /** Number of all rows. */
  totalCount: number;
  /** Organization and ID of the last row, if there is more. */
  next: string[] | undefined;
}

/** A text that is longer than an ID can be and comes after all of them. */
const AFTER_ALL_IDS = sql`repeat(chr(1114111), 257)`;

/** Reads one page of the rows of all organizations of a workspace, and counts all of them. */
export async function selectWorkspacePage<Statistics>(
  scope: CrossTenantScope,
  workspaceId: string,
  owned: OwnedRows,
  page: WorkspacePageRequest,
): Promise<WorkspacePage<Statistics>> {
  const isOfWorkspace = join(
    [sql`workspace_id = ${uuid(workspaceId)} and deleted_at is null`, ...owned.organizationConditions],
    " and ",
  );
  const [keys, [counted]] = await Promise.all([
    selectRowKeys(scope, isOfWorkspace, owned, page),
    scope.run(sql<{ count: number }>`select count(*) as count ${fromOwned(owned, EMPTY)} where ${isOfWorkspace}`),
  ]);
  const shown = keys.slice(0, page.pageSize);
  const last = keys.length > page.pageSize ? shown.at(-1) : undefined;
  const rows = await selectStatistics<Statistics>(scope, owned, shown);
  return { rows, totalCount: counted?.count ?? 0, next: last && [last.organizationId, last.id] };
}

const KEY = buildKeyDigits(sql`organizations.organization_key`);

/**
 * Reads the keys of one row more than a page has. Without a search, it reads at most that many rows of each
 * organization, in the order of its primary key.
 */
async function selectRowKeys(
  scope: CrossTenantScope,
  isOfWorkspace: Sql,
  owned: OwnedRows,
  page: WorkspacePageRequest,
): Promise<RowKey[]> {
  const { orderBy, order } = page;
  const [direction, id] = [identifier(order), buildId(owned)];
  const count = integer(page.pageSize + 1);
  const columns = orderBy === "id" ? [id, sql`organization_id`] : [sql`organization_id`, id];
  const inOrder = sql`order by ${columns[0] ?? id} ${direction}, ${columns[1] ?? id} ${direction} limit ${count}`;
  const { outside, inside } = afterCursor(owned, page);
  const buildFirst = (limit: Sql) => sql`${inside} order by ${id} ${direction} limit ${limit}`;
  const select = (rest: Sql, condition: Sql) =>
    sql<RowKey>`select ${KEY} as "organizationKey", organization_id as "organizationId",
        ${id} as id
      ${fromOwned(owned, rest)} where ${condition} ${inOrder}`;
  if (owned.isSearch) return scope.run(select(inside, sql`${isOfWorkspace} ${outside}`));
  if (orderBy === "organization") {
    return scope.run(select(buildFirst(sql`${count}`), sql`${isOfWorkspace} ${outside}`));
  }
  // Only the organizations whose first row is among the first of all can hold one of them.
  const organizations = await scope.run(
    sql<{ key: OrganizationKey }>`select ${KEY} as key
      ${fromOwned(owned, buildFirst(sql`1`))} where ${isOfWorkspace} ${inOrder}`,
  );
  const organizationKeys = uuids(organizations.map(({ key }) => key));
  return scope.run(select(buildFirst(sql`${count}`), sql`organizations.organization_key = any(${organizationKeys})`));
}

/** Reads the statistics of rows, which are in their order. */
async function selectStatistics<Statistics>(
  scope: CrossTenantScope,
  owned: OwnedRows,
  keys: RowKey[],
): Promise<(Statistics & RowKey)[]> {
  const [table, id] = [sql`${identifier(owned.table)} ${identifier(owned.alias)}`, buildId(owned)];
  const organizationKeys = uuids([...new Set(keys.map(({ organizationKey }) => organizationKey))]);
  const ids = texts([...new Set(keys.map((key) => key.id))]);
  // The two lists alone would also find IDs of this page in organizations where they are not on it.
  const keyTexts = texts(keys.map(getText));
  const found = await scope.run(
    sql<Statistics & Omit<RowKey, "organizationId">>`
      select ${KEY_DIGITS} as "organizationKey", ${id} as id, ${owned.statistics}
      from ${table}
      where organization_key = any(${organizationKeys}) and ${id} = any(${ids})
        and ${KEY_DIGITS} || ${id} = any(${keyTexts})`,
  );
  const rows = new Map(found.map((row) => [getText(row), row]));
  return keys.flatMap((key) => {
    const row = rows.get(getText(key));
    return row === undefined ? [] : [{ ...row, organizationId: key.organizationId }];
  });
}

/** Returns the text that the statement compares for a key. */
function getText({ organizationKey, id }: Omit<RowKey, "organizationId">): string {
  return `${organizationKey}${id}`;
}

function buildId({ alias, id }: OwnedRows): Sql {
  return sql`${identifier(alias)}.${identifier(id)}`;
}

/** Returns the join of the organizations with the rows of each. `rest` ends the conditions and may limit them. */
function fromOwned({ table, alias, conditions }: OwnedRows, rest: Sql): Sql {
  const name = identifier(alias);
  const isOwned = sql`${name}.organization_key = organizations.organization_key`;
  return sql`from organizations cross join lateral (
      select * from ${identifier(table)} ${name} where ${join([isOwned, ...conditions], " and ")} ${rest}
    ) as ${name}`;
}

/** Returns the conditions that a row comes after the cursor, each of which is a range of an index. */
function afterCursor(
  owned: OwnedRows,
  { orderBy, order, after = [] }: WorkspacePageRequest,
): { outside: Sql; inside: Sql } {
  const [organizationId, afterId] = after;
  if (organizationId === undefined || afterId === undefined) return { outside: EMPTY, inside: EMPTY };
  const id = buildId(owned);
  const isAscending = order === "asc";
  const beyond = isAscending ? sql`>` : sql`<`;
  if (orderBy === "id") {
    const inside = sql`and ${id} ${beyond}= ${text(afterId)}
      and (${id}, organizations.organization_id) ${beyond} (${text(afterId)}, ${text(organizationId)})`;
    return { outside: EMPTY, inside };
  }
  return {
    outside: sql`and organization_id ${beyond}= ${text(organizationId)}`,
    inside: sql`and ${id} ${beyond} case when organizations.organization_id = ${text(organizationId)}
      then ${text(afterId)} else ${isAscending ? sql`''` : AFTER_ALL_IDS} end collate "C"`,
  };
}
