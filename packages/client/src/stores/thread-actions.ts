import type { ChangeResult, Comment, ItemResult } from "../api.generated.ts";
import type { RequestData } from "../client.ts";
import { ColloquyError } from "../errors.ts";
import type { RepeatableCall } from "./repeatable-call.ts";

const OPEN = { id: "OPEN", name: "Open", type: "default" as const };
const RESOLVED = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };

type NewAnnotation = RequestData<"/v2/commentannotations/add", "page">["commentAnnotations"][number];

/** Options of a comment, beside its plain text. */
export interface CommentOptions {
  /** Users to notify: their IDs, or also the texts by which the comment mentions them, such as "@Grace". */
  mentions?: (string | { userId: string; text: string })[] | undefined;
  /** HTML of the comment, if the plain text does not say all. */
  html?: string | undefined;
  attachments?: Comment["attachments"] | undefined;
}

/** Options of a thread: where it is in the document, who may see it, and data of your own. */
export interface ThreadOptions
  extends CommentOptions,
    Pick<NewAnnotation, "location" | "targetElement" | "visibility" | "context"> {}

/** What a user can do with the threads of a document. Each action throws if the service rejects it. */
export interface ThreadActions {
  /** Starts a thread. Returns its annotation ID. */
  add(text: string, options?: ThreadOptions): Promise<string>;
  /** Adds a comment to a thread, and notifies all who take part in it. */
  reply(annotationId: string, text: string, options?: CommentOptions): Promise<void>;
  /** Resolves a thread, which its author, its assignee and editors may do. */
  resolve(annotationId: string): Promise<void>;
  /** Reopens a resolved thread, which its author, its assignee and editors may do. */
  reopen(annotationId: string): Promise<void>;
  /** Replaces the text of a comment, its HTML, and what the options have, which its author and moderators may do. */
  edit(annotationId: string, commentId: number, text: string, options?: CommentOptions): Promise<void>;
  /**
   * Deletes a comment, or without `commentId` the thread with all of its comments, which its author and moderators may
   * do. Writes an activity.
   */
  remove(annotationId: string, commentId?: number): Promise<void>;
  /** Adds a reaction of the user to a comment, such as an emoji. */
  react(annotationId: string, commentId: number, reaction: string): Promise<void>;
  /** Deletes a reaction of the user. */
  unreact(annotationId: string, commentId: number, reaction: string): Promise<void>;
  /** Marks threads as read by the user, all threads of the document by default. */
  markRead(annotationIds?: string[]): Promise<void>;
}

/** Returns the actions of a user in a document. */
export function threadActions(
  call: RepeatableCall,
  scope: { organizationId: string; documentId: string },
  userId: string,
): ThreadActions {
  const from = { userId };
  const buildComment = (text: string, options: CommentOptions) => [
    { from, ...buildContent(text, options), triggerActivities: true, triggerNotification: true },
  ];
  const deletion = { actionUser: from, triggerActivities: true };
  async function setStatus(annotationId: string, status: typeof OPEN | typeof RESOLVED): Promise<void> {
    const request = { ...scope, annotationIds: [annotationId], updatedData: { status } };
    onlyResult(await call("/v2/commentannotations/update", request));
  }
  return {
    async add(text, { mentions, html, attachments, ...options } = {}) {
      const commentData = buildComment(text, { mentions, html, attachments });
      const commentAnnotations = [{ ...options, commentData }];
      return onlyResult(await call("/v2/commentannotations/add", { ...scope, commentAnnotations })).annotationId;
    },
    async reply(annotationId, text, options = {}) {
      const commentData = buildComment(text, options);
      await call("/v2/commentannotations/comments/add", { ...scope, annotationId, commentData });
    },
    resolve: (annotationId) => setStatus(annotationId, RESOLVED),
    reopen: (annotationId) => setStatus(annotationId, OPEN),
    async edit(annotationId, commentId, text, options = {}) {
      // HTML of the text before would still be shown.
      const updatedData = { commentHtml: "", ...buildContent(text, options) };
      const request = { ...scope, annotationId, commentIds: [commentId], updatedData };
      onlyResult(await call("/v2/commentannotations/comments/update", request));
    },
    async remove(annotationId, commentId) {
      if (commentId === undefined) {
        onlyResult(
          await call("/v2/commentannotations/delete", { ...scope, annotationIds: [annotationId], ...deletion }),
        );
      } else {
        const request = { ...scope, annotationId, commentIds: [commentId], ...deletion };
        onlyResult(await call("/v2/commentannotations/comments/delete", request));
      }
    },
    async react(annotationId, commentId, reaction) {
      await call("/v2/reactions/add", { ...scope, annotationId, commentId, reaction, from });
    },
    async unreact(annotationId, commentId, reaction) {
      await call("/v2/reactions/delete", { ...scope, annotationId, commentId, reaction, from });
    },
    async markRead(annotationIds) {
      await call("/v2/commentannotations/read", { ...scope, userId, annotationIds });
    },
  };
}

/** Returns the fields of a comment with a text. */
function buildContent(text: string, { mentions, html, attachments }: CommentOptions) {
  const taggedUserContacts = mentions?.map((user) => (typeof user === "string" ? { userId: user } : user));
  return {
    commentText: text,
    ...(html !== undefined && { commentHtml: html }),
    ...(taggedUserContacts && { taggedUserContacts }),
    ...(attachments && { attachments }),
  };
}

/** Returns the result of an action on one record. Throws if the item of the response has failed. */
function onlyResult<Result extends ItemResult & Pick<ChangeResult, "requiredRole">>(results: {
  [id: string]: Result;
}): Result {
  const [result] = Object.values(results);
  if (result?.success) return result;
  if (result?.requiredRole) {
    const { message, requiredRole } = result;
    throw new ColloquyError("PERMISSION_DENIED", { message, details: { reason: "access_denied", requiredRole } });
  }
  throw new ColloquyError("NOT_FOUND", { message: result?.message ?? "The service has responded without a result." });
}
