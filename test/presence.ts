import { integer, sql, texts, uuid } from "../src/database/sql.ts";
import type { Queryable } from "../src/database/statement.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

type AddRequest = Api["/v2/presence/add"]["request"];
type Filters = Partial<Api["/v2/presence/get"]["request"]>;
export type PresenceRecord = Api["/v2/presence/get"]["response"][number];

/** Sends one heartbeat of these users, or of one for each ID. */
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

/** Moves the last heartbeat of the users into the past. */
export async function agePresence(
  database: Queryable,
  workspace: TestWorkspace,
  userIds: string[],
  minutes: number,
): Promise<void> {
  await database.run(
    sql`update presence set last_active = last_active - ${integer(minutes)} * 60000::bigint
      where organization_key = ${uuid(getKey(workspace))} and user_id = any(${texts(userIds)})`,
  );
}

/** Counts the entries stored for the organization, including expired ones. */
export async function countStoredPresence(database: Queryable, workspace: TestWorkspace): Promise<number> {
  const [row] = await database.run(
    sql<{ count: number }>`select count(*) as count from presence where organization_key = ${uuid(getKey(workspace))}`,
  );
  return row?.count ?? 0;
}

function getKey(workspace: TestWorkspace): string {
  return organizationKey(workspace.id, SCOPE.organizationId);
}
