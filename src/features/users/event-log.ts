import type { NewEvent } from "../event-log/event.ts";

/** The organization of users, and the folder or document of it in which they are added or changed. */
interface Place {
  organizationKey: string;
  documentId?: string | undefined;
  folderId?: string | undefined;
}

/** Returns the events of users who are added, changed or deleted. Only backends get them, as they alone read users. */
export function eventsOfUsers(
  { organizationKey, documentId, folderId }: Place,
  userIds: Iterable<string>,
  kind: "user.update" | "user.delete" = "user.update",
): NewEvent[] {
  return [...userIds].map((userId) => ({
    ...{ organizationKey, documentId, kind, audience: "backend" },
    userId,
    subject: { userId, ...(folderId !== undefined && { folderId }) },
  }));
}
