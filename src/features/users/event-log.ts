import type { NewEvent } from "../event-log/event.ts";

/** The folder or document in which users are added or changed; neither if it is the organization. */
interface Place {
  documentId?: string | undefined;
  folderId?: string | undefined;
}

/** Returns the events of users who are added, changed or deleted. Only backends get them, as they alone read users. */
export function buildUserEvents(
  { documentId, folderId }: Place,
  userIds: Iterable<string>,
  kind: "user.update" | "user.delete" = "user.update",
): NewEvent[] {
  return [...userIds].map((userId) => ({
    ...{ documentId, kind, audience: "backend" },
    userId,
    subject: { userId, ...(folderId !== undefined && { folderId }) },
  }));
}
