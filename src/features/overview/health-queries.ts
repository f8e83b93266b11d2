import { bigint, sql, uuid } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";

export interface EndpointCounts {
  endpoints: number;
  failing: number;
  disabled: number;
}

/** Counts the webhook endpoints of a workspace, and those whose last attempts have all failed or that are disabled. */
export async function countEndpoints(database: Queryable, workspaceId: string): Promise<EndpointCounts> {
  const [row] = await database.run(
    sql<EndpointCounts>`select count(*) as endpoints,
        count(*) filter (where not disabled and failing_since is not null) as failing,
        count(*) filter (where disabled) as disabled
      from webhook_endpoints where workspace_id = ${uuid(workspaceId)}`,
  );
  return row ?? { endpoints: 0, failing: 0, disabled: 0 };
}

export interface MailCounts {
  refused: number;
  deferred: number;
}

const REFUSED_AND_DEFERRED = sql`count(*) filter (where state = 'rejected') as refused,
  count(*) filter (where state = 'deferred') as deferred`;

/** Counts the mails to users that were queued within a time and that the mail server has refused or deferred. */
export async function countFailedMails(
  scope: CrossTenantScope,
  workspaceId: string,
  withinMs: number,
): Promise<MailCounts> {
  const [row] = await scope.run(
    sql<MailCounts>`select ${REFUSED_AND_DEFERRED}
      from organizations join mail_deliveries mail using (organization_key)
      where organizations.workspace_id = ${uuid(workspaceId)} and mail.workspace_id = ${uuid(workspaceId)}
        and state in ('rejected', 'deferred') and mail.created_at >= ${NOW_MS} - ${bigint(withinMs)}`,
  );
  return row ?? { refused: 0, deferred: 0 };
}

/** Counts those of the mails that belong to no organization. */
export async function countFailedWorkspaceMails(
  database: Queryable,
  workspaceId: string,
  withinMs: number,
): Promise<MailCounts> {
  const [row] = await database.run(
    sql<MailCounts>`select ${REFUSED_AND_DEFERRED} from workspace_mails
      where workspace_id = ${uuid(workspaceId)} and created_at >= ${NOW_MS} - ${bigint(withinMs)}`,
  );
  return row ?? { refused: 0, deferred: 0 };
}

/** Returns the time of the newest backup in the audit log, in milliseconds since the epoch. */
export async function selectLastBackup(database: Queryable, workspaceId: string): Promise<number | null> {
  const [row] = await database.run(
    sql<{ at: number | null }>`select max(created_at) as at from audit_entries
      where workspace_id = ${uuid(workspaceId)} and action = 'workspace.backup'`,
  );
  return row?.at ?? null;
}
