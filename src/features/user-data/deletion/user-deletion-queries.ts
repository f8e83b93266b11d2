import type { Actor } from "../../../contract/audit.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import { EMPTY, integer, json, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { currentTransactionId, type Moment, purging } from "../../purge/purge-queries.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

/** Condition that joins the organizations in the scope of a row of user_data_deletions. */
const IS_IN_SCOPE = sql`organizations.workspace_id = deletion.workspace_id
  and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids))`;

export interface NewDeletion {
  id: string;
  workspaceId: string;
  userIds: string[];
  organizationIds: string[] | undefined;
  tasksCount: number;
  requestedBy: Actor | undefined;
  kinds: readonly string[];
}

/** Counts the organizations that a deletion concerns, by their index alone. */
export async function countOrganizations(
  scope: CrossTenantScope,
  workspaceId: string,
  organizationIds: string[] | undefined,
): Promise<number> {
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*) as count from organizations where workspace_id = ${uuid(workspaceId)}
      ${organizationIds ? sql`and organization_id = any(${texts(organizationIds)})` : EMPTY}`,
  );
  return row?.count ?? 0;
}

/** Inserts a deletion of everything that exists, and returns its time. */
export async function insertDeletion(
  transaction: Queryable,
  { id, workspaceId, userIds, organizationIds, tasksCount, requestedBy, kinds }: NewDeletion,
): Promise<number> {
  const [row] = await transaction.run(
    purging(
      (isDistributed) => sql<{ acceptedAt: number }>`insert into user_data_deletions
        (id, workspace_id, user_ids, organization_ids, accepted_at, accepted_in, tasks_count,
          requested_by, kinds)
      values (${uuid(id)}, ${uuid(workspaceId)}, ${texts(userIds)},
        ${organizationIds ? texts(organizationIds) : sql`null`}, ${NOW_MS}, ${currentTransactionId(isDistributed)},
        ${integer(tasksCount)}, ${requestedBy ? json(JSON.stringify(requestedBy)) : sql`null`}, ${texts(kinds)})
      returning accepted_at as "acceptedAt"`,
    ),
  );
  if (!row) throw new Error("the deletion was not written");
  return row.acceptedAt;
}

export interface Deletion {
  id: string;
  workspaceId: string;
  userIds: string[];
  addresses: string[];
  accepted: Moment;
  stage: "finding" | "purging" | "done";
  position: string;
}

/** Returns the state of a deletion, or undefined if it does not exist. */
export async function selectDeletion(database: Queryable, id: string): Promise<Deletion | undefined> {
  const [row] = await database.run(
    sql<Omit<Deletion, "addresses" | "accepted"> & Moment & { addresses: string }>`select id,
        workspace_id as "workspaceId", user_ids as "userIds", addresses::text as addresses, stage, position,
        accepted_at as time, accepted_in::text as "transactionId"
      from user_data_deletions where id = ${uuid(id)}`,
  );
  if (!row) return undefined;
  const { time, transactionId, addresses, ...deletion } = row;
  return { ...deletion, addresses: JSON.parse(addresses), accepted: { time, transactionId } };
}

/** Returns the deletions that are not done. */
export function selectUnfinishedDeletions(database: Queryable): Promise<{ deletionId: string }[]> {
  return database.run(
    sql<{ deletionId: string }>`select id as "deletionId" from user_data_deletions where stage <> 'done' order by id`,
  );
}

export interface OrganizationInScope {
  organizationKey: OrganizationKey;
  organizationId: string;
}

/** Returns the next organizations after the deletion's position, by ID. */
export function selectOrganizations(
  scope: CrossTenantScope,
  { id, position }: Deletion,
  limit: number,
): Promise<OrganizationInScope[]> {
  return scope.run(
    sql<OrganizationInScope>`select ${KEY_DIGITS} as "organizationKey", organization_id as "organizationId"
      from user_data_deletions deletion join organizations on ${IS_IN_SCOPE}
      where deletion.id = ${uuid(id)} and organization_id > ${text(position)}
      order by organization_id limit ${integer(limit)}`,
  );
}

/** Returns whether a document is being migrated by a migration that does not wait for the deletion. */
export async function hasEarlierMigration(scope: CrossTenantScope, id: string): Promise<boolean> {
  const rows = await scope.run(
    sql`select 1 as one
      from user_data_deletions deletion join organizations on ${IS_IN_SCOPE}
        join document_migrations migration using (organization_key)
      where deletion.id = ${uuid(id)} and migration.ended_at is null and deletion.id <> all(migration.deletion_ids)
      limit 1`,
  );
  return rows.length > 0;
}

// Each of the following updates does nothing if another process has moved the deletion on since it was read. Those that
// return a boolean return whether the update took place.

function isUnchanged({ id, stage, position }: Deletion): Sql {
  return sql`id = ${uuid(id)} and stage = ${text(stage)} and position = ${text(position)}`;
}

/** Saves the addresses found up to an organization, which becomes the position. */
export async function saveAddresses(
  database: Queryable,
  deletion: Deletion,
  addresses: string[],
  lastOrganizationId: string,
): Promise<boolean> {
  const updated = await database.run(
    sql`update user_data_deletions
      set addresses = ${json(JSON.stringify(addresses))}, position = ${text(lastOrganizationId)}
      where ${isUnchanged(deletion)} returning id`,
  );
  return updated.length === 1;
}

/** Moves the deletion to its second stage, which starts with the first organization. */
export async function startPurging(database: Queryable, deletion: Deletion): Promise<void> {
  await database.run(
    sql`update user_data_deletions set stage = 'purging', position = '' where ${isUnchanged(deletion)}`,
  );
}

/** Adds completed tasks up to an organization, which becomes the position. */
export async function saveProgress(
  database: Queryable,
  deletion: Deletion,
  lastOrganizationId: string,
  tasksDone: number,
): Promise<boolean> {
  const updated = await database.run(
    sql`update user_data_deletions set position = ${text(lastOrganizationId)},
        tasks_done = least(tasks_done + ${integer(tasksDone)}, tasks_count), last_task_completed_at = ${NOW_MS}
      where ${isUnchanged(deletion)} returning id`,
  );
  return updated.length === 1;
}

/** Completes the deletion and clears the addresses of its users. */
export async function finishDeletion(database: Queryable, id: string): Promise<void> {
  await database.run(
    sql`update user_data_deletions set stage = 'done', position = '', tasks_done = tasks_count,
        addresses = '[]', last_task_completed_at = coalesce(last_task_completed_at, input.now_ms)
      from (select ${NOW_MS} as now_ms) as input
      where id = ${uuid(id)}`,
  );
}

export interface DeletionStatus {
  isDeleteCompleted: boolean;
  tasksLeft: number;
  lastTaskCompletedTime: number | null;
}

/** Returns the status of a deletion, or undefined if the workspace has no such deletion. */
export async function selectStatus(
  database: Queryable,
  workspaceId: string,
  id: string,
): Promise<DeletionStatus | undefined> {
  const [row] = await database.run(
    sql<DeletionStatus>`select stage = 'done' as "isDeleteCompleted", tasks_count - tasks_done as "tasksLeft",
        last_task_completed_at as "lastTaskCompletedTime"
      from user_data_deletions where workspace_id = ${uuid(workspaceId)} and id::text = ${text(id)}`,
  );
  return row;
}

export interface DeletionProgress {
  stage: "finding" | "purging";
  organizationsDone: number;
  organizationsCount: number;
}

/** Returns how many organizations the current stage of a deletion has searched, or undefined if it is done. */
export async function selectProgress(scope: CrossTenantScope, id: string): Promise<DeletionProgress | undefined> {
  const [row] = await scope.run(
    sql<DeletionProgress>`select stage, count(*) as "organizationsCount",
        count(*) filter (where organization_id <= position) as "organizationsDone"
      from user_data_deletions deletion join organizations on ${IS_IN_SCOPE}
      where deletion.id = ${uuid(id)} and stage <> 'done' group by stage`,
  );
  return row;
}

export interface ReceiptEntry {
  organizationId: string;
  kind: string;
  deleted: number;
  stripped: number;
}

/** Returns the next entries of a receipt, by organization and kind. */
export function selectReceipt(
  database: Queryable,
  id: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ReceiptEntry[]> {
  const [organizationId = "", kind = ""] = after ?? [];
  return database.run(
    sql<ReceiptEntry>`select organization_id as "organizationId", kind, deleted, stripped from user_data_receipts
      where deletion_id = ${uuid(id)} and (organization_id, kind) > (${text(organizationId)}, ${text(kind)})
      order by organization_id, kind limit ${integer(limit)}`,
  );
}

/** Returns which of the organizations had records that the deletion has removed or changed. */
export async function selectAffected(
  database: Queryable,
  id: string,
  organizationIds: readonly string[],
): Promise<Set<string>> {
  const rows = await database.run(
    sql<{ id: string }>`select distinct organization_id as id from user_data_receipts
      where deletion_id = ${uuid(id)} and organization_id = any(${texts(organizationIds)})`,
  );
  return new Set(rows.map((row) => row.id));
}
