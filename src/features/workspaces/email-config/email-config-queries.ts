import { bytea, json, type Sql, sql, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { notifyChange } from "../workspace-queries.ts";
import type { EmailConfigRow } from "./email-config.ts";

/** Returns the configuration, or undefined before the first update. */
export async function selectEmailConfig(database: Queryable, workspaceId: string): Promise<EmailConfigRow | undefined> {
  const [row] = await database.run(buildSelect(workspaceId));
  return row;
}

/** Creates the configuration if missing and locks it until the end of the transaction, so that updates merge. */
export async function lockEmailConfig(
  transaction: Transaction,
  workspaceId: string,
): Promise<EmailConfigRow | undefined> {
  await transaction.run(
    sql`insert into email_configs (workspace_id, settings) values (${uuid(workspaceId)}, '{}') on conflict do nothing`,
  );
  const [row] = await transaction.run(sql<EmailConfigRow>`${buildSelect(workspaceId)} for update`);
  return row;
}

function buildSelect(workspaceId: string): Sql<EmailConfigRow> {
  return sql`select settings::text as settings, api_key as "apiKey" from email_configs
    where workspace_id = ${uuid(workspaceId)}`;
}

/** Returns the encrypted provider keys of all workspaces. */
export function selectProviderKeys(database: Queryable): Promise<{ workspaceId: string; encrypted: Buffer }[]> {
  return database.run(
    sql<{ workspaceId: string; encrypted: Buffer }>`select workspace_id as "workspaceId", api_key as encrypted
      from email_configs where api_key is not null order by workspace_id`,
  );
}

/** Replaces an encrypted provider key, unless it has changed meanwhile. Returns whether it has replaced it. */
export async function replaceProviderKey(
  transaction: Queryable,
  workspaceId: string,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<boolean> {
  const replaced = await transaction.run(
    sql`update email_configs set api_key = ${bytea(after)}
      where workspace_id = ${uuid(workspaceId)} and api_key = ${bytea(before)} returning workspace_id`,
  );
  return replaced.length > 0;
}

/** Replaces the configuration. Notifies all processes at the commit. */
export async function replaceEmailConfig(
  transaction: Queryable,
  workspaceId: string,
  { settings, apiKey }: EmailConfigRow,
): Promise<void> {
  await transaction.run(
    sql`update email_configs set settings = ${json(settings)}, api_key = ${bytea(apiKey)}
      where workspace_id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
}
