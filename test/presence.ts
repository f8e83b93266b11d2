import type { Queryable } from "../src/database/database.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

type AddRequest = Api["/v2/presence/add"]["request"];
type Filters = Partial<Api["/v2/presence/get"]["request"]>;
export type PresenceRecord = Api["/v2/presence/get"]["response"][number];

/** One heartbeat of these users, or of one for each id. */
export function addPresence(
  workspace: TestWorkspace,
  users: (AddRequest["users"][number] | string)[],
  scope: Partial<AddRequest> = {},
) {
  const given = users.map((user) => (typeof user === "string" ? { userId: user } : user));
  return workspace.data("/v2/presence/add", { ...SCOPE, users: given, ...scope });
}

export function readPresence(workspace: TestWorkspace, filters: Filters = {}): Promise<PresenceRecord[]> {
  return workspace.data("/v2/presence/get", { ...SCOPE, ...filters });
}

export async function readUserIds(workspace: TestWorkspace, filters: Filters = {}): Promise<string[]> {
  return (await readPresence(workspace, filters)).map(({ userId }) => userId);
}

/** Moves the last heartbeat of the users into the past, as if that long had passed. */
export async function agePresence(
  database: Queryable,
  workspace: TestWorkspace,
  userIds: string[],
  minutes: number,
): Promise<void> {
  await database.query(
    `update presence set last_active = last_active - $3::bigint * 60000
     where organization_key = $1 and user_id = any($2)`,
    [organizationKey(workspace.id, SCOPE.organizationId), userIds, minutes],
  );
}

/** How many entries are stored for the organization, shown or not. */
export async function countStoredPresence(database: Queryable, workspace: TestWorkspace): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::int as count from presence where organization_key = $1",
    [organizationKey(workspace.id, SCOPE.organizationId)],
  );
  return rows[0]?.count ?? 0;
}
