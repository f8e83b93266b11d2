import { bytea, json, type Sql, sql, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import type { WebhookConfigRow } from "./webhook-config.ts";

/** Returns the webhook configuration of a workspace, or undefined before the first update. */
export async function selectWebhookConfig(
  database: Queryable,
  workspaceId: string,
): Promise<WebhookConfigRow | undefined> {
  const [row] = await database.run(buildSelect(workspaceId));
  return row;
}

/** Creates the configuration if missing and locks it until the end of the transaction, so that updates merge. */
export async function lockWebhookConfig(transaction: Transaction, workspaceId: string): Promise<WebhookConfigRow> {
  await transaction.run(
    sql`insert into webhook_configs (workspace_id) values (${uuid(workspaceId)}) on conflict do nothing`,
  );
  const [row] = await transaction.run(sql<WebhookConfigRow>`${buildSelect(workspaceId)} for update`);
  if (!row) throw new Error("the webhook configuration is gone");
  return row;
}

function buildSelect(workspaceId: string): Sql<WebhookConfigRow> {
  return sql`select basic::text as basic, auth_token as "authToken", advanced::text as advanced,
      basic_since as "basicSince", advanced_since as "advancedSince"
    from webhook_configs where workspace_id = ${uuid(workspaceId)}`;
}

/** Replaces the configuration in a transaction that has locked it. Each kind that was off gets no earlier events. */
export async function replaceWebhookConfig(
  transaction: Queryable,
  workspaceId: string,
  { basic, authToken, advanced }: WebhookConfigRow,
): Promise<void> {
  await transaction.run(
    sql`update webhook_configs
      set basic = ${json(basic)}, auth_token = ${bytea(authToken)}, advanced = ${json(advanced)},
        basic_since = case when (basic->>'useWebhookService')::boolean then basic_since else clock.now end,
        advanced_since = case when (advanced->>'isEnabled')::boolean then advanced_since else clock.now end
      from (select ${NOW_MS} as now) as clock
      where workspace_id = ${uuid(workspaceId)}`,
  );
}

/** Returns the encrypted auth tokens of all workspaces. */
export function selectAuthTokens(database: Queryable): Promise<{ workspaceId: string; encrypted: Buffer }[]> {
  return database.run(
    sql<{ workspaceId: string; encrypted: Buffer }>`select workspace_id as "workspaceId", auth_token as encrypted
      from webhook_configs where auth_token is not null order by workspace_id`,
  );
}

/** Replaces an encrypted auth token, unless it has changed meanwhile. Returns whether it has replaced it. */
export async function replaceAuthToken(
  transaction: Queryable,
  workspaceId: string,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<boolean> {
  const replaced = await transaction.run(
    sql`update webhook_configs set auth_token = ${bytea(after)}
      where workspace_id = ${uuid(workspaceId)} and auth_token = ${bytea(before)} returning workspace_id`,
  );
  return replaced.length > 0;
}
