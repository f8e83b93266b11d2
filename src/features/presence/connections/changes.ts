import type { NewEvent } from "../../event-log/event.ts";
import { recordStoredEvents } from "../../event-log/record-events.ts";
import { buildCreationEvents } from "../../implicit-creation/creation-events.ts";
import type { OrganizationScope, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type Created, insertMissing, insertMissingDocuments, selectExistence } from "../../tenancy/tenancy-queries.ts";
import { buildPresenceEvents } from "../event-log.ts";
import { connectPresence, type PresenceRow } from "../presence-renewal-queries.ts";
import {
  deleteConnections,
  insertConnections,
  lockPresence,
  takeOffline,
  type UserInDocument,
} from "./presence-connection-queries.ts";

/** A user who has connected, with the JSON texts of name and email. */
export type ConnectingUser = UserInDocument & Pick<PresenceRow, "name" | "email">;

/** Writes that users of an organization have connections at a process: they are online from now on. */
export async function connectUsers(
  scope: OrganizationScope,
  users: readonly ConnectingUser[],
  processId: string,
): Promise<void> {
  const calls = [...Map.groupBy(users, ({ documentId }) => documentId)].map(([documentId, documentUsers]) => ({
    documentId,
    rows: documentUsers.map(({ userId, name, email }) => ({
      ...{ userId, name, email, status: "online", source: "user" as const },
    })),
  }));
  const created = await createMissing(
    scope,
    calls.map(({ documentId }) => documentId),
  );
  const changed = await connectPresence(scope, calls);
  await insertConnections(scope, users, processId);
  const events = buildCreationEvents(scope.organizationId, created);
  await recordChanges(scope, changed, events);
}

/** Creates the organization and documents if missing, unless it has an access block. Returns what it has created. */
async function createMissing(scope: OrganizationScope, documentIds: readonly string[]): Promise<Created> {
  const existence = await selectExistence(scope, undefined);
  if (existence.block) return { isOrganizationCreated: false, documentIds: [] };
  const { isOrganizationCreated } = await insertMissing(scope, undefined, existence);
  return { isOrganizationCreated, documentIds: await insertMissingDocuments(scope, documentIds) };
}

/** Deletes the connections that users have at processes. Takes those offline who have no other, and returns them. */
export async function disconnectUsers(
  scope: StoredOrganization,
  users: readonly UserInDocument[],
  processIds: readonly string[],
): Promise<UserInDocument[]> {
  await lockPresence(scope, users);
  await deleteConnections(scope, users, processIds);
  const left = await takeOffline(scope, users);
  const offline = left.filter(({ status }) => status === "offline");
  await recordChanges(scope, offline);
  return left;
}

async function recordChanges(
  scope: StoredOrganization,
  users: readonly UserInDocument[],
  earlier: readonly NewEvent[] = [],
): Promise<void> {
  await recordStoredEvents(scope, [...earlier, ...buildPresenceEvents("presence.update", users)]);
}
