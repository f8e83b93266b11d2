import { EMPTY, integer, sql, text, uuid } from "../../../database/sql.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, isInEnabledDocument } from "../../tenancy/tenancy-queries.ts";

/**
 * Reads the action types of an organization's activities in order, up to a limit. A loose index scan looks up the next
 * type for each, so its cost depends on the number of types, and of activities of disabled documents, which it skips.
 */
export async function selectActionTypes(
  scope: OrganizationScope,
  { search, limit }: { search: string | undefined; limit: number },
): Promise<{ actionTypes: string[]; block: AccessBlock | null }> {
  const organization = uuid(scope.key);
  const isFound =
    search === undefined
      ? EMPTY
      : sql`and action_type >= ${text(search)} and action_type < ${text(search)} || chr(1114111)`;
  const isEnabled = isInEnabledDocument(organization, sql`document_id`);
  const isListed = sql`organization_key = ${organization} and ${isEnabled} ${isFound}`;
  const [row] = await scope.run(
    sql<{ actionTypes: string[]; block: AccessBlock | null }>`with recursive found as (
        (select action_type, 1 as number from activities where ${isListed} order by action_type limit 1)
        union all
        select (select action_type from activities
          where ${isListed} and action_type > found.action_type
          order by action_type limit 1), number + 1
        from found where found.action_type is not null and number < ${integer(limit)}
      )
      select ${buildAccessBlock(scope.key)} as block,
        array(select action_type from found where action_type is not null order by number) as "actionTypes"`,
  );
  return { actionTypes: row?.actionTypes ?? [], block: row?.block ?? null };
}
