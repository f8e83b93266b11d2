import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";

/** Of organizations, for a row of user_data_deletions in scope. */
const IS_IN_SCOPE = `organizations.workspace_id = deletion.workspace_id
  and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids))`;

export interface NewDeletion {
  id: string;
  workspaceId: string;
  userIds: string[];
  organizationIds: string[] | undefined;
  /** Tasks for each organization. */
  kinds: number;
}

/** Accepts what was written up to now. Counts the organizations by their index alone. */
export async function insertDeletion(
  transaction: Queryable,
  { id, workspaceId, userIds, organizationIds, kinds }: NewDeletion,
): Promise<{ acceptedAt: number; tasksCount: number }> {
  const { rows } = await transaction.query<{ acceptedAt: number; tasksCount: number }>(
    `insert into user_data_deletions (id, workspace_id, user_ids, organization_ids, accepted_at, tasks_count)
     select id, workspace_id, user_ids, organization_ids, ${NOW_MS},
       $5 * (select count(*) from organizations where ${IS_IN_SCOPE})
     from (values ($1::uuid, $2::uuid, $3::text[], $4::text[]))
       as deletion (id, workspace_id, user_ids, organization_ids)
     returning accepted_at as "acceptedAt", tasks_count as "tasksCount"`,
    [id, workspaceId, userIds, organizationIds ?? null, kinds],
  );
  if (!rows[0]) throw new Error("the deletion was not written");
  return rows[0];
}

export interface Deletion {
  id: string;
  workspaceId: string;
  userIds: string[];
  addresses: string[];
  acceptedAt: number;
  stage: "finding" | "erasing" | "done";
  position: string;
}

export async function selectDeletion(database: Queryable, id: string): Promise<Deletion | undefined> {
  const { rows } = await database.query<Omit<Deletion, "addresses"> & { addresses: string }>(
    `select id, workspace_id as "workspaceId", user_ids as "userIds", addresses::text as addresses,
       accepted_at as "acceptedAt", stage, position
     from user_data_deletions where id = $1`,
    [id],
  );
  return rows[0] && { ...rows[0], addresses: JSON.parse(rows[0].addresses) };
}

export interface OrganizationInScope {
  organizationKey: string;
  organizationId: string;
}

/** The next ones behind the deletion's position, by id. */
export async function selectOrganizations(
  database: Queryable,
  { id, position }: Deletion,
  limit: number,
): Promise<OrganizationInScope[]> {
  const { rows } = await database.query<OrganizationInScope>(
    `select organization_key as "organizationKey", organization_id as "organizationId"
     from user_data_deletions deletion join organizations on ${IS_IN_SCOPE}
     where deletion.id = $1 and organization_id > $2 order by organization_id limit $3`,
    [id, position, limit],
  );
  return rows;
}

// Each of the following does nothing where another process has taken the deletion further in the meantime; those that
// return something return whether it was still where it was read.

const IS_AS_READ = "id = $1 and stage = $2 and position = $3";

export async function saveAddresses(
  database: Queryable,
  { id, stage, position }: Deletion,
  addresses: string[],
  lastOrganizationId: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update user_data_deletions set addresses = $4::json, position = $5 where ${IS_AS_READ}`,
    [id, stage, position, JSON.stringify(addresses), lastOrganizationId],
  );
  return rowCount === 1;
}

export async function startPurging(database: Queryable, { id, stage, position }: Deletion): Promise<void> {
  await database.query(`update user_data_deletions set stage = 'erasing', position = '' where ${IS_AS_READ}`, [
    ...[id, stage, position],
  ]);
}

export async function saveProgress(
  database: Queryable,
  { id, stage, position }: Deletion,
  lastOrganizationId: string,
  tasksDone: number,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update user_data_deletions set position = $4, tasks_done = least(tasks_done + $5, tasks_count),
       last_task_completed_at = ${NOW_MS}
     where ${IS_AS_READ}`,
    [id, stage, position, lastOrganizationId, tasksDone],
  );
  return rowCount === 1;
}

/** Forgets whom it was about. */
export async function finishDeletion(database: Queryable, id: string): Promise<void> {
  await database.query(
    `update user_data_deletions set stage = 'done', position = '', tasks_done = tasks_count, user_ids = '{}',
       addresses = '[]', last_task_completed_at = coalesce(last_task_completed_at, ${NOW_MS})
     where id = $1`,
    [id],
  );
}

export interface DeletionStatus {
  isDeleteCompleted: boolean;
  tasksLeft: number;
  lastTaskCompletedTime: number | null;
}

/** Undefined where the workspace has no such deletion. */
export async function selectStatus(
  database: Queryable,
  workspaceId: string,
  id: string,
): Promise<DeletionStatus | undefined> {
  const { rows } = await database.query<DeletionStatus>(
    `select stage = 'done' as "isDeleteCompleted", tasks_count - tasks_done as "tasksLeft",
       last_task_completed_at as "lastTaskCompletedTime"
     from user_data_deletions where workspace_id = $1 and id::text = $2`,
    [workspaceId, id],
  );
  return rows[0];
}

export interface ReceiptEntry {
  organizationId: string;
  kind: string;
  deleted: number;
  stripped: number;
}

/** By organization and kind, behind `after`. */
export async function selectReceipt(
  database: Queryable,
  id: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ReceiptEntry[]> {
  const { rows } = await database.query<ReceiptEntry>(
    `select organization_id as "organizationId", kind, deleted, stripped from user_data_receipts
     where deletion_id = $1::uuid and (organization_id, kind) > ($2, $3)
     order by organization_id, kind limit $4`,
    [id, after?.[0] ?? "", after?.[1] ?? "", limit],
  );
  return rows;
}
