import type { Queryable } from "../src/database/statement.ts";
import type { Api } from "../src/operations.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

type AddRequest = Api["/v2/activities/add"]["request"];
type NewActivity = AddRequest["activities"][number];
export type ActivityFilters = Partial<Api["/v2/activities/get"]["request"]>;
export type ActivityRecord = Api["/v2/activities/get"]["response"][number];

/** The document of tests for which any document will do. */
export const SCOPE = { organizationId: "acme", documentId: "contract-7" };

/** Returns a new activity with the required fields and the given ones. */
export function activity(fields: Partial<NewActivity> = {}): NewActivity {
  return { featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" }, ...fields };
}

/** Adds these activities, or one for each ID, in one call. */
export function addActivities(
  workspace: TestWorkspace,
  activities: (Partial<NewActivity> | string)[],
  scope: Partial<AddRequest> = {},
) {
  const given = activities.map((item) => (typeof item === "string" ? activity({ id: item }) : activity(item)));
  return workspace.data("/v2/activities/add", { ...SCOPE, activities: given, ...scope });
}

/** Reads all pages. */
export async function readActivityPages(
  workspace: TestWorkspace,
  filters: ActivityFilters = {},
): Promise<ActivityRecord[][]> {
  const pages: ActivityRecord[][] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: SCOPE.organizationId, ...filters, ...(pageToken && { pageToken }) };
    const page = await workspace.result("/v2/activities/get", request);
    pages.push(page.data);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return pages;
}

/** Reads the activities of all pages, newest first. */
export async function readActivities(
  workspace: TestWorkspace,
  filters: ActivityFilters = {},
): Promise<ActivityRecord[]> {
  return (await readActivityPages(workspace, filters)).flat();
}

/** Reads the IDs of all pages, oldest first. */
export async function readActivityIds(workspace: TestWorkspace, filters: ActivityFilters = {}): Promise<string[]> {
  return (await readActivities(workspace, { order: "asc", ...filters })).map(({ id }) => id);
}

/** Copies an activity `count` times under the IDs `<id>-1` and so on, much faster than calls can add as many. */
export async function copyActivity(
  database: Queryable,
  organizationKey: string,
  id: string,
  count: number,
): Promise<void> {
  await runSql(
    database,
    `insert into activities (organization_key, id, document_id, target_entity_id, user_id, feature_type, action_type,
       created_at, sequence, record, record_bytes)
     select organization_key, id || '-' || n, document_id, target_entity_id, user_id, feature_type, action_type,
       created_at, nextval('activity_sequence'),
       replace(record::text, to_json(id)::text, to_json(id || '-' || n)::text)::json, record_bytes
     from activities, generate_series(1, $3::int) as n where organization_key = $1 and id = $2`,
    [organizationKey, id, count],
  );
}
