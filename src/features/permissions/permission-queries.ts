import { sql, text, uuid } from "../../database/sql.ts";
import { userPages } from "../purge/user-purge-queries.ts";

/**
 * Reads one page of the user's grants, by type and resource. A grant on the organization has no `id`, and that of a
 * pair no role.
 */
export const selectPermissionPage = userPages({
  source: ({ organizationKey, userId }) => sql`from (
    select resource_type, resource_id, 0 as record_bytes, jsonb_strip_nulls(jsonb_build_object(
      'type', resource_type, 'id', nullif(resource_id, ''),
      'accessRole', case when resource_type <> 'context' then access_role end,
      'expiresAt', floor(extract(epoch from expires_at))::bigint)) as record
    from grants where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
  ) as permission where true`,
  keys: ["resource_type", "resource_id"],
  keyType: "text",
});
