import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { sql, uuid } from "../../../database/sql.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, isInEnabledDocument } from "../../tenancy/tenancy-queries.ts";
import { entryText, IS_RENEWED } from "../presence-queries.ts";

/**
 * Reads one page of the users who are online or away, by document and user. The others are deleted after 24 hours, so
 * the range of the primary key that this reads has few of them.
 */
export function selectOrganizationPresencePage(
  scope: OrganizationScope,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const organization = uuid(scope.key);
  const ids = sql`'"documentId":' || to_json(document_id) || ',"userId":' || to_json(user_id)`;
  return selectPageOfRecords(scope, {
    source: sql`from (
        select document_id, user_id, 0 as record_bytes, ${entryText(ids, sql`status`)} as record
        from presence where organization_key = ${organization} and ${IS_RENEWED} and status <> 'offline'
          and ${isInEnabledDocument(organization, sql`document_id`)}
      ) as entry where true`,
    keys: ["document_id", "user_id"],
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(scope.key, undefined),
    ...page,
  });
}
