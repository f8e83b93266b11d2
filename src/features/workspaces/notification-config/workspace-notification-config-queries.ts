import { json, type Sql, sql, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { notifyChange } from "../workspace-queries.ts";

/** Returns the JSON text of the configuration; null before the first update. */
export async function selectNotificationConfig(database: Queryable, workspaceId: string): Promise<string | null> {
  return getConfig(await database.run(buildSelect(workspaceId)));
}

/** Returns the JSON text of the configuration and locks it until the end of the transaction, so that updates merge. */
export async function lockNotificationConfig(transaction: Transaction, workspaceId: string): Promise<string | null> {
  return getConfig(await transaction.run(sql<Row>`${buildSelect(workspaceId)} for no key update`));
}

interface Row {
  config: string | null;
}

function buildSelect(workspaceId: string): Sql<Row> {
  return sql`select notification_config::text as config from workspaces where id = ${uuid(workspaceId)}`;
}

function getConfig([row]: Row[]): string | null {
  if (!row) throw new Error("the caller's workspace is gone");
  return row.config;
}

/** Replaces the configuration by a JSON text. Notifies all processes at the commit. */
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
