import type { AccessType } from "../../../contract/access-type.ts";
import { boolean, integer, sql, text, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { notifyChange } from "../workspace-queries.ts";

/** Settings of a workspace that its API key configuration has. */
interface ApiKeySettings {
  defaultDocumentAccessType?: AccessType | undefined;
  enablePrivateComments?: boolean | undefined;
  requireJwtToken?: boolean | undefined;
  requireAutoOrgUser?: boolean | undefined;
  isContextEnabled?: boolean | undefined;
  showUserEmails?: boolean | undefined;
  automaticVersionMinutes?: number | undefined;
  automaticVersionDays?: number | undefined;
}

/** Changes settings of a workspace in a transaction. Those that are undefined stay. */
export async function updateAccessSettings(
  transaction: Queryable,
  workspaceId: string,
  settings: ApiKeySettings,
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
        show_user_emails = coalesce(${boolean(showUserEmails ?? null)}, show_user_emails),
        automatic_version_minutes =
          coalesce(${integer(settings.automaticVersionMinutes ?? null)}, automatic_version_minutes),
        automatic_version_days = coalesce(${integer(settings.automaticVersionDays ?? null)}, automatic_version_days)
      where id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
}
