import type { Queryable } from "../../../database/database.ts";
import { notifyChange } from "../queries.ts";

export interface EmailConfigRow {
  /** JSON text. */
  settings: string;
  /** Encrypted. */
  apiKey: Buffer | null;
}

/** Undefined before the first update. */
export async function selectEmailConfig(database: Queryable, workspaceId: string): Promise<EmailConfigRow | undefined> {
  const { rows } = await database.query<EmailConfigRow>(
    `select settings::text as settings, api_key as "apiKey" from email_configs where workspace_id = $1`,
    [workspaceId],
  );
  return rows[0];
}

/** Holds until the end of the transaction: the update that comes second merges into what the first one has made. */
export async function lockEmailConfig(
  transaction: Queryable,
  workspaceId: string,
): Promise<EmailConfigRow | undefined> {
  await transaction.query(
    "insert into email_configs (workspace_id, settings) values ($1, '{}') on conflict do nothing",
    [workspaceId],
  );
  const { rows } = await transaction.query<EmailConfigRow>(
    `select settings::text as settings, api_key as "apiKey" from email_configs where workspace_id = $1 for update`,
    [workspaceId],
  );
  return rows[0];
}

/** Every server learns of it with the commit. */
export async function replaceEmailConfig(
  transaction: Queryable,
  workspaceId: string,
  { settings, apiKey }: EmailConfigRow,
): Promise<void> {
  await transaction.query("update email_configs set settings = $2, api_key = $3 where workspace_id = $1", [
    workspaceId,
    settings,
    apiKey,
  ]);
  await notifyChange(transaction);
}
