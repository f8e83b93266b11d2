import { bytea, json, sql, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { notifyChange } from "../../workspaces/workspace-queries.ts";

interface Row {
  workspaceId: string;
  /** JSON text; null before the first update. */
  config: string | null;
}

const SELECT = sql<Row>`select id as "workspaceId", token_issuer_config::text as config from workspaces`;

/** Returns the JSON text of the configuration; null before the first update. */
export async function selectTokenIssuerConfig(database: Queryable, workspaceId: string): Promise<string | null> {
  return getConfig(await database.run(sql<Row>`${SELECT} where id = ${uuid(workspaceId)}`));
}

/** Returns the JSON text of the configuration and locks it until the end of the transaction, so that updates merge. */
export async function lockTokenIssuerConfig(transaction: Transaction, workspaceId: string): Promise<string | null> {
  return getConfig(await transaction.run(sql<Row>`${SELECT} where id = ${uuid(workspaceId)} for no key update`));
}

/** Returns the workspace of an API key and the JSON text of its configuration. */
export async function findTokenIssuerConfig(database: Queryable, apiKeyHash: Buffer): Promise<Row | undefined> {
  const [row] = await database.run(sql<Row>`${SELECT} where api_key_hash = ${bytea(apiKeyHash)}`);
  return row;
}

function getConfig([row]: Row[]): string | null {
  if (!row) throw new Error("the caller's workspace is gone");
  return row.config;
}

/** Replaces the configuration by a JSON text. Notifies all processes at the commit. */
export async function replaceTokenIssuerConfig(
  transaction: Queryable,
  workspaceId: string,
  config: string,
): Promise<void> {
  await transaction.run(
    sql`update workspaces set token_issuer_config = ${json(config)} where id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
}
