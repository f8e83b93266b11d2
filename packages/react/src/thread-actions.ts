import type { RepeatableCall } from "./repeatable-call.ts";

const RESOLVED = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };

/** What a user can do with the threads of a document. */
export interface ThreadActions {
  /** Starts a thread, and notifies the users with these IDs. */
  add(text: string, mentions?: string[]): Promise<void>;
  /** Adds a comment to a thread, and notifies all who take part in it. */
  reply(annotationId: string, text: string): Promise<void>;
  /** Resolves a thread, which its author may do. */
  resolve(annotationId: string): Promise<void>;
}

/** Returns the actions of a user in a document. */
export function threadActions(
  call: RepeatableCall,
  scope: { organizationId: string; documentId: string },
  userId: string,
): ThreadActions {
  const commentOf = (text: string, mentions: string[] = []) => [
    {
      from: { userId },
      commentText: text,
      taggedUserContacts: mentions.map((mentioned) => ({ userId: mentioned })),
      triggerActivities: true,
      triggerNotification: true,
    },
  ];
  return {
    async add(text, mentions) {
      const commentAnnotations = [{ commentData: commentOf(text, mentions) }];
      await call("/v2/commentannotations/add", { ...scope, commentAnnotations });
    },
    async reply(annotationId, text) {
      await call("/v2/commentannotations/comments/add", { ...scope, annotationId, commentData: commentOf(text) });
    },
    async resolve(annotationId) {
      const updatedData = { status: RESOLVED };
      await call("/v2/commentannotations/update", { ...scope, annotationIds: [annotationId], updatedData });
    },
  };
}
