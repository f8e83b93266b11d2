import { EMPTY, json, sql, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { notifyChange } from "../workspace-queries.ts";

/** Returns the JSON text of the configuration; null before the first update. */
export function selectNotificationConfig(database: Queryable, workspaceId: string): Promise<string | null> {
  return select(database, workspaceId, false);
}

/** Returns the JSON text of the configuration and locks it until the end of the transaction, so that updates merge. */
export function lockNotificationConfig(transaction: Queryable, workspaceId: string): Promise<string | null> {
  return select(transaction, workspaceId, true);
}

async function select(database: Queryable, workspaceId: string, isLocked: boolean): Promise<string | null> {
  const [row] = await database.run(
    sql<{ config: string | null }>`select notification_config::text as config from workspaces
      where id = ${uuid(workspaceId)} ${isLocked ? sql`for no key update` : EMPTY}`,
  );
  if (!row) throw new Error("the caller's workspace is gone");
  return row.config;
}

/** Replaces the configuration by a JSON text; every server learns of it with the commit. */
export async function replaceNotificationConfig(
  transaction: Queryable,
  workspaceId: string,
  config: string,
): Promise<void> {
  await transaction.run(
    sql`update workspaces set notification_config = ${json(config)} where id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
}
