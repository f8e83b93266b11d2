import type { BatchedStatement } from "../../../database/batch.ts";
import type { Queryable } from "../../../database/database.ts";
import { notifyChange } from "../queries.ts";

/** Adds those that are missing; resolves to them and to how many there are then. Calls of one workspace take turns. */
export async function insertDomainRows(
  transaction: Queryable,
  workspaceId: string,
  domains: string[],
): Promise<{ added: Set<string>; count: number }> {
  await transaction.query("select from workspaces where id = $1 for no key update", [workspaceId]);
  const { rows } = await transaction.query<{ domain: string }>(
    `insert into allowed_domains (workspace_id, domain)
     select $1, domain from unnest($2::text[]) as given (domain)
     on conflict do nothing returning domain`,
    [workspaceId, domains],
  );
  const { rows: counts } = await transaction.query<{ count: number }>(
    "select count(*) as count from allowed_domains where workspace_id = $1",
    [workspaceId],
  );
  await notifyChange(transaction);
  return { added: new Set(rows.map(({ domain }) => domain)), count: counts[0]?.count ?? 0 };
}

/** Of each workspace the text of a JSON array, in the order of the names. */
export const selectDomains: BatchedStatement<string, string> = {
  byteSize: (workspaceId) => workspaceId.length,
  conflictKeys: () => [],
  async run(database, workspaceIds) {
    const { rows } = await database.query<{ workspaceId: string; domains: string }>(
      `select workspace_id as "workspaceId", json_agg(domain order by domain)::text as domains
       from allowed_domains where workspace_id = any($1) group by workspace_id`,
      [[...new Set(workspaceIds)]],
    );
    const found = new Map(rows.map(({ workspaceId, domains }) => [workspaceId, domains]));
    return workspaceIds.map((workspaceId) => found.get(workspaceId) ?? "[]");
  },
};

/** Returns those that were there. Calls of one workspace take turns. */
export async function deleteDomainRows(
  transaction: Queryable,
  workspaceId: string,
  domains: string[],
): Promise<Set<string>> {
  await transaction.query("select from workspaces where id = $1 for no key update", [workspaceId]);
  const { rows } = await transaction.query<{ domain: string }>(
    "delete from allowed_domains where workspace_id = $1 and domain = any($2) returning domain",
    [workspaceId, domains],
  );
  await notifyChange(transaction);
  return new Set(rows.map(({ domain }) => domain));
}

/** Whether the workspace, or where none is named any workspace, has one of them. */
export async function existsDomain(
  database: Queryable,
  domains: string[],
  workspaceId: string | undefined,
): Promise<boolean> {
  const ofWorkspace = workspaceId === undefined ? "" : "and workspace_id = $2";
  const { rows } = await database.query<{ found: boolean }>(
    `select exists (select from allowed_domains where domain = any($1) ${ofWorkspace}) as found`,
    workspaceId === undefined ? [domains] : [domains, workspaceId],
  );
  return rows[0]?.found ?? false;
}

/** Whether a workspace of the owner has one of them; the address is in the form that is compared. */
export async function existsDomainOfOwner(
  database: Queryable,
  domains: string[],
  ownerAddress: string,
): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    `select exists (
       select from allowed_domains join workspaces on workspaces.id = workspace_id
       where domain = any($1) and lower(owner_email collate "C") = $2
     ) as found`,
    [domains, ownerAddress],
  );
  return rows[0]?.found ?? false;
}
