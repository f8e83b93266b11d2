import { EMPTY, sql, text, texts, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { lockWorkspace, notifyChange } from "../workspace-queries.ts";

/** Adds the domains that are missing. Returns them and the total. Calls of one workspace run one after the other. */
export async function insertDomainRows(
  transaction: Transaction,
  workspaceId: string,
  domains: string[],
): Promise<{ added: Set<string>; count: number }> {
  await lockWorkspace(transaction, workspaceId);
  const rows = await transaction.run(
    sql<{ domain: string }>`insert into allowed_domains (workspace_id, domain)
      select ${uuid(workspaceId)}, domain from unnest(${texts(domains)}) as input (domain)
      on conflict do nothing returning domain`,
  );
  const [total] = await transaction.run(
    sql<{ count: number }>`select count(*) as count from allowed_domains where workspace_id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
  return { added: new Set(rows.map(({ domain }) => domain)), count: total?.count ?? 0 };
}

/** Reads the domains of a workspace, sorted, as the text of a JSON array. */
export async function selectDomains(database: Queryable, workspaceId: string): Promise<string> {
  const [row] = await database.run(
    sql<{ domains: string }>`select coalesce(json_agg(domain order by domain), '[]')::text as domains
      from allowed_domains where workspace_id = ${uuid(workspaceId)}`,
  );
  return row?.domains ?? "[]";
}

/** Deletes domains. Returns those that existed. Calls of one workspace run one after the other. */
export async function deleteDomainRows(
  transaction: Transaction,
  workspaceId: string,
  domains: string[],
): Promise<Set<string>> {
  await lockWorkspace(transaction, workspaceId);
  const rows = await transaction.run(
    sql<{ domain: string }>`delete from allowed_domains
      where workspace_id = ${uuid(workspaceId)} and domain = any(${texts(domains)}) returning domain`,
  );
  await notifyChange(transaction);
  return new Set(rows.map(({ domain }) => domain));
}

/** Returns whether the workspace, or any workspace if none is named, has one of the domains. */
export async function existsDomain(
  database: Queryable,
  domains: string[],
  workspaceId: string | undefined,
): Promise<boolean> {
  const isOfWorkspace = workspaceId === undefined ? EMPTY : sql`and workspace_id = ${uuid(workspaceId)}`;
  const [row] = await database.run(
    sql<{ found: boolean }>`select exists (
      select from allowed_domains where domain = any(${texts(domains)}) ${isOfWorkspace}
    ) as found`,
  );
  return row?.found ?? false;
}

/** Returns whether a workspace of the owner, by their compared address, has one of the domains. */
export async function existsDomainOfOwner(
  database: Queryable,
  domains: string[],
  ownerAddress: string,
): Promise<boolean> {
  const [row] = await database.run(
    sql<{ found: boolean }>`select exists (
      select from allowed_domains join workspaces on workspaces.id = workspace_id
      where domain = any(${texts(domains)}) and lower(owner_email collate "C") = ${text(ownerAddress)}
    ) as found`,
  );
  return row?.found ?? false;
}
