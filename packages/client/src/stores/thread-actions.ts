import type { ChangeResult, Comment, ItemResult, User } from "../api.generated.ts";
import type { Client } from "../client.ts";
import { ColloquyError } from "../errors.ts";
import type { RequestData } from "../request-data.ts";
import { IdempotentAdds } from "./idempotent-adds.ts";
import type { OptimisticList } from "./optimistic-list.ts";
import {
  commentChange,
  hasReaction,
  newComment,
  replyChange,
  setStoredId,
  type ThreadRecord,
  threadAddition,
  threadChange,
  threadDeletion,
  toStoredContent,
  toStoredId,
  withReaction,
} from "./thread-changes.ts";
import type { CountStore } from "./unread.ts";

const OPEN = { id: "OPEN", name: "Open", type: "default" as const };
const RESOLVED = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };

type NewAnnotation = RequestData<"/v2/commentannotations/add", "page">["commentAnnotations"][number];

/** A user, or a user group, whom a comment mentions, and the text by which it does, such as "@Grace". */
export type Mention = { userId: string; text: string } | { groupId: string; text: string };

/** Options of a comment, beside its plain text. */
export interface CommentOptions {
  /** Users to notify, by their IDs, or users and groups also with the texts that mention them. */
  mentions?: (string | Mention)[] | undefined;
  /** HTML of the comment, if the plain text does not say all. */
  html?: string | undefined;
  attachments?: Comment["attachments"] | undefined;
  /** Data of your own in the comment, as its field `context` has it. */
  commentContext?: Comment["context"] | undefined;
}

/** Options of a thread: where it is in the document, who may see it, and data of your own. */
export interface ThreadOptions
  extends CommentOptions,
    Pick<NewAnnotation, "anchor" | "location" | "targetElement" | "visibility" | "context"> {}

/** What a user can do with the threads of a document. Each action throws if the service rejects it. */
export interface ThreadActions {
  /** Starts a thread. Returns its annotation ID. */
  add(text: string, options?: ThreadOptions): Promise<string>;
  /** Adds a comment to a thread, and notifies all who take part in it. */
  reply(annotationId: string, text: string, options?: CommentOptions): Promise<void>;
  /** Replaces the anchor of a thread, which its author and editors may do. */
  moveAnchor(annotationId: string, anchor: NonNullable<NewAnnotation["anchor"]>): Promise<void>;
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

/** What the actions of a document need. */
interface ActionContext {
  call: Client<"page">["call"];
  scope: { organizationId: string; documentId: string };
  threads: OptimisticList<ThreadRecord>;
  /** The number of unread threads. */
  unread: CountStore;
  /** Returns the user as records name them. */
  getAuthor(): User;
}

/** Returns the actions of a user in a document. */
export function threadActions({ call, scope, threads, unread, getAuthor }: ActionContext): ThreadActions {
  const adds = new IdempotentAdds();
  const { userId } = getAuthor();
  const from = { userId };
  const triggers = { triggerActivities: true, triggerNotification: true };
  const deleting = { actionUser: from, triggerActivities: true };

  function setStatus(annotationId: string, status: typeof OPEN | typeof RESOLVED): Promise<void> {
    const users = { statusUpdatedByUserId: userId, ...(status === RESOLVED && { resolvedByUserId: userId }) };
    const change = threadChange(annotationId, { status, ...users }, (thread) => thread.status.id === status.id);
    return threads.run([change], async () => {
      const request = {
        ...scope,
        annotationIds: [annotationId],
        updatedData: { status },
        actionUser: from,
        ...triggers,
      };
      onlyResult((await call("/v2/commentannotations/update", request)).data);
    });
  }

  async function changeReaction(annotationId: string, commentId: number, reaction: string, isOn: boolean) {
    const change = commentChange(annotationId, commentId, {
      apply: (comment) => withReaction(comment, reaction, getAuthor(), isOn),
      isApplied: (comment) => hasReaction(comment, reaction, userId) === isOn,
    });
    const path = isOn ? "/v2/reactions/add" : "/v2/reactions/delete";
    await threads.run([change], () =>
      call(path, { ...scope, annotationId, commentId: toStoredId(commentId), reaction, from }),
    );
  }

  return {
    add(text, { mentions, html, attachments, commentContext, ...options } = {}) {
      const content = buildContent(text, { mentions, html, attachments, commentContext });
      return adds.run([content, options], (idempotencyKey) => {
        // The same thread has the same ID if it is added again.
        const annotationId = idempotencyKey;
        const { visibility: _, ...fields } = options;
        const author = getAuthor();
        const first = newComment(author, content);
        const thread = { ...castFields(fields), annotationId, metadata: { apiKey: "", ...scope }, from: author };
        const commentAnnotations = [{ ...options, annotationId, commentData: [{ from, ...content, ...triggers }] }];
        return threads.run([threadAddition(thread, first)], async () => {
          const request = { ...scope, commentAnnotations };
          const { data } = await call("/v2/commentannotations/add", request, { idempotencyKey });
          setStoredId(first, onlyResult(data).commentIds[0]);
          return annotationId;
        });
      });
    },
    reply(annotationId, text, options = {}) {
      const content = buildContent(text, options);
      return adds.run([annotationId, content], (idempotencyKey) => {
        const thread = threads.getState().data.find((each) => each.annotationId === annotationId);
        const comment = newComment(getAuthor(), content);
        return threads.run([replyChange(thread, annotationId, comment)], async () => {
          const request = { ...scope, annotationId, commentData: [{ from, ...content, ...triggers }] };
          const { data } = await call("/v2/commentannotations/comments/add", request, { idempotencyKey });
          setStoredId(comment, data[0]);
        });
      });
    },
    moveAnchor(annotationId, anchor) {
      const isMoved = (thread: ThreadRecord) => JSON.stringify(thread.anchor) === JSON.stringify(anchor);
      return threads.run([threadChange(annotationId, { anchor }, isMoved)], async () => {
        const request = { ...scope, annotationIds: [annotationId], updatedData: { anchor } };
        onlyResult((await call("/v2/commentannotations/update", request)).data);
      });
    },
    resolve: (annotationId) => setStatus(annotationId, RESOLVED),
    reopen: (annotationId) => setStatus(annotationId, OPEN),
    edit(annotationId, commentId, text, options = {}) {
      // HTML of the text before would still be shown.
      const noGroups = options.mentions && { taggedUserGroups: [] };
      const updatedData = { commentHtml: "", ...noGroups, ...buildContent(text, options) };
      const change = commentChange(annotationId, commentId, {
        apply: (comment, isPending) => ({ ...comment, ...toStoredContent(updatedData), status: "updated", isPending }),
        isApplied: ({ commentText, commentHtml = "" }) =>
          commentText === text && commentHtml === updatedData.commentHtml,
      });
      return threads.run([change], async () => {
        const request = { ...scope, annotationId, commentIds: [toStoredId(commentId)], updatedData };
        onlyResult((await call("/v2/commentannotations/comments/update", request)).data);
      });
    },
    remove(annotationId, commentId) {
      if (commentId === undefined) {
        const request = { ...scope, annotationIds: [annotationId], ...deleting };
        return threads.run([threadDeletion(annotationId)], async () => {
          onlyResult((await call("/v2/commentannotations/delete", request)).data);
        });
      }
      const change = commentChange(annotationId, commentId, { apply: () => undefined, isApplied: () => false });
      return threads.run([change], async () => {
        const request = { ...scope, annotationId, commentIds: [toStoredId(commentId)], ...deleting };
        onlyResult((await call("/v2/commentannotations/comments/delete", request)).data);
      });
    },
    react: (annotationId, commentId, reaction) => changeReaction(annotationId, commentId, reaction, true),
    unreact: (annotationId, commentId, reaction) => changeReaction(annotationId, commentId, reaction, false),
    async markRead(annotationIds) {
      await unread.markRead(annotationIds, () =>
        call("/v2/commentannotations/read", { ...scope, userId, annotationIds }),
      );
    },
  };
}

/** Casts fields that the service returns as they were sent. */
function castFields(fields: object): Partial<ThreadRecord> {
  return fields;
}

/** Returns the fields of a comment with a text. */
function buildContent(text: string, { mentions, html, attachments, commentContext }: CommentOptions) {
  const tags = mentions?.map((each) => (typeof each === "string" ? { userId: each } : each));
  const taggedUserContacts = tags?.filter((tag) => "userId" in tag);
  const taggedUserGroups = tags?.filter((tag) => "groupId" in tag) ?? [];
  return {
    commentText: text,
    ...(html !== undefined && { commentHtml: html }),
    ...(taggedUserContacts && { taggedUserContacts }),
    ...(taggedUserGroups.length > 0 && { taggedUserGroups }),
    ...(attachments && { attachments }),
    ...(commentContext && { context: commentContext }),
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
