import type { EventKind, NewEvent } from "../event-log/event.ts";

interface PresentUser {
  documentId: string;
  userId: string;
}

/** Returns the events of users whose presence in a document has changed or was deleted. */
export function buildPresenceEvents(
  kind: Extract<EventKind, `presence.${string}`>,
  users: readonly PresentUser[],
): NewEvent[] {
  return users.map(({ documentId, userId }) => ({ documentId, kind, userId, subject: { userId } }));
}
