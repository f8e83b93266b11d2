import type { AccessType } from "../../../contract/access-type.ts";
import { boolean, sql, text, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { notifyChange } from "../workspace-queries.ts";

/** Settings of a workspace about the access of users. */
interface AccessSettings {
  defaultDocumentAccessType?: AccessType | undefined;
  enablePrivateComments?: boolean | undefined;
  requireJwtToken?: boolean | undefined;
  requireAutoOrgUser?: boolean | undefined;
  isContextEnabled?: boolean | undefined;
  showUserEmails?: boolean | undefined;
}

/** Changes access settings of a workspace in a transaction. Those that are undefined stay. */
export async function updateAccessSettings(
  transaction: Queryable,
  workspaceId: string,
  settings: AccessSettings,
): Promise<void> {
  const { enablePrivateComments, requireJwtToken, requireAutoOrgUser, isContextEnabled, showUserEmails } = settings;
  await transaction.run(
    sql`update workspaces set
        default_document_access_type =
          coalesce(${text(settings.defaultDocumentAccessType ?? null)}, default_document_access_type),
        private_comments_enabled = coalesce(${boolean(enablePrivateComments ?? null)}, private_comments_enabled),
        require_jwt_token = coalesce(${boolean(requireJwtToken ?? null)}, require_jwt_token),
        require_auto_org_user = coalesce(${boolean(requireAutoOrgUser ?? null)}, require_auto_org_user),
        is_context_enabled = coalesce(${boolean(isContextEnabled ?? null)}, is_context_enabled),
        show_user_emails = coalesce(${boolean(showUserEmails ?? null)}, show_user_emails)
      where id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
}
