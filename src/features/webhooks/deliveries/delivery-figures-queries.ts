import { sql, texts, uuid } from "../../../database/sql.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";

interface Endpoint {
  endpointId: string;
  /** Times are milliseconds since the epoch. */
  failingSince: number | null;
  lastFailedAt: number | null;
}

interface Counts {
  delivered: number;
  failed: number;
  pending: number;
}

export type DeliveryFigures = Endpoint & Counts;

/** Counts the messages of all organizations to each endpoint of a workspace, oldest endpoint first. */
export async function selectDeliveryFigures(scope: CrossTenantScope, workspaceId: string): Promise<DeliveryFigures[]> {
  const endpoints = await scope.run(
    sql<Endpoint>`select id as "endpointId", failing_since as "failingSince", last_failed_at as "lastFailedAt"
      from webhook_endpoints where workspace_id = ${uuid(workspaceId)} order by id`,
  );
  const counted = await scope.run(
    sql<Counts & { target: string }>`select target, count(*) filter (where status = 'delivered') as delivered,
        count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'pending') as pending
      from webhook_messages where target = any(${texts(endpoints.map(({ endpointId }) => endpointId))})
      group by target`,
  );
  const counts = new Map(counted.map(({ target, ...figures }) => [target, figures]));
  return endpoints.map((endpoint) => ({
    ...endpoint,
    ...(counts.get(endpoint.endpointId) ?? { delivered: 0, failed: 0, pending: 0 }),
  }));
}
