import { bigint, boolean, bytea, EMPTY, integer, json, sql, text, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { lockWorkspace } from "../../workspaces/workspace-queries.ts";
import type { EndpointRow } from "./endpoint.ts";

const COLUMNS = sql`id, uid, settings::text as settings, disabled, created_at as "createdAt",
  updated_at as "updatedAt"`;

export interface EndpointWithSecret extends EndpointRow {
  /** Encrypted. */
  secret: Buffer;
}

/** Counts the endpoints of a workspace in a transaction. Concurrent calls that count wait until its end. */
export async function countEndpoints(transaction: Transaction, workspaceId: string): Promise<number> {
  await lockWorkspace(transaction, workspaceId);
  const [row] = await transaction.run(
    sql<{ count: number }>`select count(*) as count from webhook_endpoints where workspace_id = ${uuid(workspaceId)}`,
  );
  return row?.count ?? 0;
}

interface NewEndpointRow {
  id: string;
  uid: string | undefined;
  /** JSON text. */
  settings: string;
  disabled: boolean;
  secret: Buffer;
}

/** Adds an endpoint. Returns undefined if its uid is taken. */
export async function insertEndpoint(
  transaction: Queryable,
  workspaceId: string,
  { id, uid, settings, disabled, secret }: NewEndpointRow,
): Promise<EndpointRow | undefined> {
  const inserted = await transaction.run(
    sql<{ id: string }>`insert into webhook_endpoints (id, workspace_id, uid, settings, disabled, secret, active_since,
        created_at, updated_at)
      select ${uuid(id)}, ${uuid(workspaceId)}, ${text(uid)}, ${json(settings)}, ${boolean(disabled)},
        ${bytea(secret)}, now, now, now
      from (select ${NOW_MS} as now) as clock
      on conflict (workspace_id, uid) where uid is not null do nothing
      returning id`,
  );
  return inserted.length > 0 ? selectEndpoint(transaction, workspaceId, id) : undefined;
}

/** Reads an endpoint with its encrypted secret. */
export async function selectEndpoint(
  database: Queryable,
  workspaceId: string,
  id: string,
): Promise<EndpointWithSecret | undefined> {
  const [row] = await database.run(
    sql<EndpointWithSecret>`select ${COLUMNS}, secret from webhook_endpoints
      where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)}`,
  );
  return row;
}

/** Reads an endpoint and locks it until the end of the transaction, so that updates merge. */
export async function lockEndpoint(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<EndpointWithSecret | undefined> {
  const [row] = await transaction.run(
    sql<EndpointWithSecret>`select ${COLUMNS}, secret from webhook_endpoints
      where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)} for update`,
  );
  return row;
}

/** Returns up to `limit` endpoints, oldest first: the first ones, those after an ID, or the last ones before an ID. */
export async function selectEndpoints(
  database: Queryable,
  workspaceId: string,
  { after, before, limit }: { after?: string | undefined; before?: string | undefined; limit: number },
): Promise<EndpointRow[]> {
  const rows = await database.run(
    sql<EndpointRow>`select ${COLUMNS} from webhook_endpoints
      where workspace_id = ${uuid(workspaceId)}
        ${after === undefined ? EMPTY : sql`and id > ${uuid(after)}`}
        ${before === undefined ? EMPTY : sql`and id < ${uuid(before)}`}
      order by id ${before === undefined ? EMPTY : sql`desc`} limit ${integer(limit)}`,
  );
  return before === undefined ? rows : rows.reverse();
}

/** Replaces the settings of an endpoint that the transaction has locked. Enabling it restarts its time. */
export async function replaceEndpoint(
  transaction: Queryable,
  workspaceId: string,
  {
    id,
    settings,
    disabled,
    isEnabledAnew,
  }: { id: string; settings: string; disabled: boolean; isEnabledAnew: boolean },
): Promise<void> {
  await transaction.run(
    sql`update webhook_endpoints set settings = ${json(settings)}, disabled = ${boolean(disabled)},
        updated_at = ${NOW_MS}
        ${isEnabledAnew ? sql`, active_since = ${NOW_MS}, failing_since = null` : EMPTY}
      where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)}`,
  );
}

/** Deletes an endpoint with its secrets. */
export async function deleteEndpoint(transaction: Queryable, workspaceId: string, id: string): Promise<void> {
  await transaction.run(
    sql`delete from webhook_endpoints where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)}`,
  );
}

/** Replaces the secret. The previous one stays valid for `previousMs`; undefined deletes it. */
export async function replaceSecret(
  transaction: Queryable,
  workspaceId: string,
  { id, secret, previousMs }: { id: string; secret: Buffer; previousMs: number | undefined },
): Promise<void> {
  const previous =
    previousMs === undefined
      ? sql`previous_secret = null, previous_until = null`
      : sql`previous_secret = secret, previous_until = ${NOW_MS} + ${bigint(previousMs)}`;
  await transaction.run(
    sql`update webhook_endpoints set ${previous}, secret = ${bytea(secret)}
      where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)}`,
  );
}

interface StoredEndpointSecret {
  workspaceId: string;
  encrypted: Buffer;
  id: string;
}

/** Returns the encrypted secrets of all workspaces, with the previous ones that are still valid. */
export function selectStoredSecrets(database: Queryable): Promise<StoredEndpointSecret[]> {
  return database.run(
    sql<StoredEndpointSecret>`select workspace_id as "workspaceId", id, unnest(array_remove(array[secret,
        case when previous_until > ${NOW_MS} then previous_secret end], null)) as encrypted
      from webhook_endpoints order by workspace_id, id`,
  );
}

/** Replaces an encrypted secret, unless it has changed meanwhile. Returns whether it has replaced it. */
export async function replaceStoredSecret(
  transaction: Queryable,
  endpointId: string,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<boolean> {
  const replaced = await transaction.run(
    sql`update webhook_endpoints
      set secret = case when secret = ${bytea(before)} then ${bytea(after)} else secret end,
        previous_secret = case when previous_secret = ${bytea(before)} then ${bytea(after)} else previous_secret end
      where id = ${uuid(endpointId)} and ${bytea(before)} in (secret, previous_secret)
      returning id`,
  );
  return replaced.length > 0;
}
