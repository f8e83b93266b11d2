import { bigint, bigints, type Sql, sql, texts, unprepared, uuid } from "../../database/sql.ts";
import { FEATURE_TYPES } from "../activities/activity.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";

// Statements that count many rows are planned on each call: a plan from when a table was tiny would read all of it.

/** Returns the condition on the organizations of a workspace that are not being deleted. */
function isOfWorkspace(workspaceId: string): Sql {
  return sql`organizations.workspace_id = ${uuid(workspaceId)} and organizations.deleted_at is null`;
}

/** The activities of one feature from one time to the next. */
export interface PeriodCount {
  /** Milliseconds since the epoch. */
  startsAt: number;
  featureType: string;
  count: number;
}

/**
 * Counts the activities of the workspace's enabled documents in each period, by feature. A period is from one of the
 * times, which are in order, to the next; the last has no end. The activities are ranges of the index
 * activities_feature, and no row is read. They are joined and grouped as a whole: in 10,000 organizations, an aggregate
 * for each organization and feature took 1.6 times as long for 970,000 activities of 14 days, and 5 times for an hour.
 */
export async function countActivities(
  scope: CrossTenantScope,
  workspaceId: string,
  times: readonly number[],
): Promise<PeriodCount[]> {
  const [first = 0] = times;
  const period = sql`width_bucket(activities.created_at, ${bigints(times)})`;
  const ofAll = sql`
    select ${period} as period, activities.feature_type, count(*) as count
    from organizations join activities using (organization_key)
    where ${isOfWorkspace(workspaceId)} and not organizations.disabled
      and activities.feature_type = any(${texts(FEATURE_TYPES)}) and activities.created_at >= ${bigint(first)}
    group by 1, 2`;
  const ofDisabledDocuments = sql`
    select ${period} as period, activities.feature_type, -count(*) as count
    from organizations join documents document using (organization_key) join activities using (organization_key)
    where ${isOfWorkspace(workspaceId)} and not organizations.disabled and document.disabled
      and activities.document_id = document.document_id and activities.created_at >= ${bigint(first)}
    group by 1, 2`;
  const rows = await scope.run(
    unprepared(
      sql<{ period: number; featureType: string; count: number }>`
        select period, feature_type as "featureType", sum(count)::bigint as count
        from (${ofAll} union all ${ofDisabledDocuments}) as counted
        group by period, feature_type having sum(count) > 0 order by period, feature_type`,
    ),
  );
  return rows.map(({ period, ...counted }) => ({ startsAt: times[period - 1] ?? first, ...counted }));
}

export interface Totals {
  organizations: number;
  documents: number;
  users: number;
  activeUsers: number;
}

/**
 * Counts what is not being deleted, and the users who acted since a time. A user of several organizations counts once.
 * (Measured: the active users of 1,000,000 activities take 190 ms.)
 */
export async function countTotals(scope: CrossTenantScope, workspaceId: string, activeSince: number): Promise<Totals> {
  const inWorkspace = isOfWorkspace(workspaceId);
  const ofOrganizations = sql`organization_key in (select organization_key from organizations where ${inWorkspace})`;
  const [row] = await scope.run(
    unprepared(
      sql<Totals>`select (select count(*) from organizations where ${inWorkspace}) as organizations,
        (select count(*) from documents where ${ofOrganizations}) as documents,
        (select count(*) from (select distinct user_id from users where ${ofOrganizations}) as own_user) as users,
        (select count(*) from (
          select distinct user_id from activities where ${ofOrganizations} and created_at >= ${bigint(activeSince)}
        ) as active_user) as "activeUsers"`,
    ),
  );
  return row ?? { organizations: 0, documents: 0, users: 0, activeUsers: 0 };
}

export interface State {
  databaseSizeBytes: number;
  hasOwner: boolean;
  hasAllowedDomains: boolean;
  hasActivities: boolean;
}

/** Reads facts that are cheap to find at any size. */
export async function selectState(scope: CrossTenantScope, workspaceId: string): Promise<State> {
  const workspace = uuid(workspaceId);
  const [row] = await scope.run(
    unprepared(
      sql<State>`select pg_database_size(current_database()) as "databaseSizeBytes",
        exists (select 1 from workspaces where id = ${workspace} and owner_email is not null) as "hasOwner",
        exists (select 1 from allowed_domains where workspace_id = ${workspace}) as "hasAllowedDomains",
        exists (
          select 1 from organizations cross join lateral (
            select 1 as one from activities where activities.organization_key = organizations.organization_key limit 1
          ) as activity
          where ${isOfWorkspace(workspaceId)}
        ) as "hasActivities"`,
    ),
  );
  return row ?? { databaseSizeBytes: 0, hasOwner: false, hasAllowedDomains: false, hasActivities: false };
}
