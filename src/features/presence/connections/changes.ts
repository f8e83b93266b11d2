import type { Queryable } from "../../../database/statement.ts";
import type { NewEvent } from "../../event-log/event.ts";
import { selectEventLog } from "../../event-log/event-log-queries.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { eventsOfFirstUse } from "../../first-use/events.ts";
import {
  type Created,
  type DocumentRef,
  insertMissing,
  insertMissingDocuments,
  selectExistence,
} from "../../tenancy/tenancy-queries.ts";
import { eventsOfPresence } from "../event-log.ts";
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
  transaction: Queryable,
  organization: Omit<DocumentRef, "documentId">,
  users: readonly ConnectingUser[],
  processId: string,
): Promise<void> {
  const calls = [...Map.groupBy(users, ({ documentId }) => documentId)].map(([documentId, ofDocument]) => ({
    ...organization,
    documentId,
    rows: ofDocument.map(({ userId, name, email }) => ({
      ...{ userId, name, email, status: "online", source: "user" as const },
    })),
  }));
  const created = await createMissing(
    transaction,
    organization,
    calls.map(({ documentId }) => documentId),
  );
  const changed = await connectPresence(transaction, organization.organizationKey, calls);
  await insertConnections(transaction, organization, users, processId);
  const events = eventsOfFirstUse(organization, created);
  await recordChanges(transaction, organization.organizationKey, changed, events);
}

/** Creates the organization and documents if missing, unless it has an access block. Returns what it has created. */
async function createMissing(
  transaction: Queryable,
  organization: Omit<DocumentRef, "documentId">,
  documentIds: readonly string[],
): Promise<Created> {
  const { organizationKey } = organization;
  const existence = await selectExistence(transaction, organizationKey, undefined);
  if (existence.block) return { hasOrganization: false, documentIds: [] };
  const { hasOrganization } = await insertMissing(transaction, organization, existence);
  return { hasOrganization, documentIds: await insertMissingDocuments(transaction, organizationKey, documentIds) };
}

/** Deletes the connections that users have at processes. Takes those offline who have no other. */
export async function disconnectUsers(
  transaction: Queryable,
  organizationKey: string,
  users: readonly UserInDocument[],
  processIds: readonly string[],
): Promise<void> {
  await lockPresence(transaction, organizationKey, users);
  await deleteConnections(transaction, organizationKey, users, processIds);
  await recordChanges(transaction, organizationKey, await takeOffline(transaction, organizationKey, users));
}

async function recordChanges(
  transaction: Queryable,
  organizationKey: string,
  users: readonly UserInDocument[],
  earlier: readonly NewEvent[] = [],
): Promise<void> {
  if (users.length + earlier.length === 0) return;
  const eventLog = await selectEventLog(transaction, organizationKey);
  await recordEvents(transaction, { eventLog }, () => [
    ...earlier,
    ...eventsOfPresence(
      "presence.update",
      users.map(({ documentId, userId }) => ({ organizationKey, documentId, userId })),
    ),
  ]);
}
