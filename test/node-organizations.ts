import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { activity, readActivities } from "./factories.ts";
import type { TestService, TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

/** Enough organizations for each node to have some: one in 32,768 runs would have a node without any. */
export const ORGANIZATIONS = Array.from({ length: 16 }, (_, index) => `organization-${index}`);

export interface ApiResponse {
  /** `success`, or the status of the error. */
  status: string;
  message?: string;
}

/** Returns the shard of each organization in `organizations` and in `activities`, and the port of its server. */
export async function getShards({ database }: TestService, workspace: TestWorkspace) {
  const shards = ORGANIZATIONS.map(async (organizationId) => {
    const [shard] = await runSql<{ id: number; activitiesId: number; port: number }>(
      database,
      `select shardid as id, get_shard_id_for_distribution_column('activities', $1::uuid) as "activitiesId",
         nodeport as port
       from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('organizations', $1::uuid)`,
      [organizationKey(workspace.id, organizationId)],
    );
    return [organizationId, shard] as const;
  });
  return new Map(await Promise.all(shards));
}

/** Adds a record with this action type. Returns the status of the response. */
export async function addActionType(
  workspace: TestWorkspace,
  organizationId: string,
  actionType: string,
): Promise<string> {
  return (await addActivity(workspace, organizationId, { actionType })).status;
}

/** Returns the action types of the records of an organization. */
export async function readActionTypes(workspace: TestWorkspace, organizationId: string): Promise<string[]> {
  return (await readActivities(workspace, { organizationId })).map(({ actionType }) => actionType);
}

export function addActivity(workspace: TestWorkspace, organizationId: string, fields: Parameters<typeof activity>[0]) {
  const activities = [activity(fields)];
  return getResponse(workspace, "/v2/activities/add", { organizationId, documentId: "contract-7", activities });
}

export async function getStatus(workspace: TestWorkspace, path: string, data: unknown): Promise<string> {
  return (await getResponse(workspace, path, data)).status;
}

export async function getResponse(workspace: TestWorkspace, path: string, data: unknown): Promise<ApiResponse> {
  const { body } = await workspace.call(path, data);
  const { result, error } = Object(body);
  return error ? { status: error.status, message: error.message } : { status: result.status };
}
