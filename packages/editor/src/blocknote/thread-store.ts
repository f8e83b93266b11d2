import {
  type CommentBody,
  type CommentData,
  type CommentReactionData,
  type ThreadData,
  ThreadStore,
  ThreadStoreAuth,
} from "@blocknote/core/comments";
import type { Comment, CommentAnnotation } from "@colloquy/client";
import { getPermittedActions, type ThreadsStore } from "@colloquy/client/stores";
import type { Anchor } from "../model/anchor.ts";
import type { BodySchema } from "./body-schema.ts";
import { DELETED, fromBody, isDeleted, toBody } from "./comment-body.ts";

interface NewComment {
  body: CommentBody;
  metadata?: unknown;
}

/** Options of `ColloquyThreadStore`. */
export interface ThreadStoreOptions {
  /** The threads of the document, of `@colloquy/client/stores`. */
  threads: ThreadsStore;
  /** The user of the page. */
  userId: string;
  /** Returns the anchor of a new thread, such as that of the selection. */
  getAnchor?: () => Anchor | undefined;
  /** Returns whether BlockNote knows a user. It shows no thread that was resolved by one whom it does not know. */
  isKnown?: (userId: string) => boolean;
  /** Schema of the editors of comments. Bodies with anything else are shown as texts, because BlockNote would throw. */
  schema?: BodySchema;
}

/** The threads of a document as BlockNote has them. The service decides what a user may do. */
export class ColloquyThreadStore extends ThreadStore {
  readonly #threads: ThreadsStore;
  readonly #getAnchor: () => Anchor | undefined;
  readonly #shown: ShownAs;

  constructor(options: ThreadStoreOptions) {
    const { threads, userId, getAnchor = () => undefined, isKnown = () => true, schema } = options;
    super(new ServiceAuth(threads, userId));
    this.#threads = threads;
    this.#getAnchor = getAnchor;
    this.#shown = { isKnown, schema };
  }

  /** Adds nothing to the document: the thread has an anchor. */
  async addThreadToDocument(): Promise<void> {}

  async createThread(options: { initialComment: NewComment; metadata?: unknown }): Promise<ThreadData> {
    const { text, options: content } = fromBody(options.initialComment.body, options.initialComment.metadata);
    const anchor = this.#getAnchor();
    const context = options.metadata === undefined ? undefined : { blockNote: options.metadata };
    const added = { ...content, ...(anchor && { anchor }), ...(context && { context }) };
    return this.getThread(await this.#threads.add(text, added));
  }

  async addComment({ threadId, comment }: { threadId: string; comment: NewComment }): Promise<CommentData> {
    const before = new Set(this.getThread(threadId).comments.map(({ id }) => id));
    const { text, options } = fromBody(comment.body, comment.metadata);
    await this.#threads.reply(threadId, text, options);
    const added = this.getThread(threadId).comments.findLast(({ id }) => !before.has(id));
    if (!added) throw new Error("Comment not found");
    return added;
  }

  async updateComment(options: { threadId: string; commentId: string; comment: NewComment }): Promise<void> {
    const { text, options: content } = fromBody(options.comment.body, options.comment.metadata);
    await this.#threads.edit(options.threadId, Number(options.commentId), text, content);
  }

  /**
   * Deletes a comment, or the thread if it is the only one. With `softDelete`, which no component of BlockNote asks
   * for, the comment stays without its content.
   */
  async deleteComment(options: { threadId: string; commentId: string; softDelete?: boolean }): Promise<void> {
    const { threadId, commentId, softDelete } = options;
    if (softDelete) return this.#threads.edit(threadId, Number(commentId), "", DELETED);
    const isOnly = this.getThread(threadId).comments.length === 1;
    await this.#threads.remove(threadId, isOnly ? undefined : Number(commentId));
  }

  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#threads.remove(threadId);
  }

  async resolveThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#threads.resolve(threadId);
  }

  async unresolveThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#threads.reopen(threadId);
  }

  async addReaction(options: { threadId: string; commentId: string; emoji: string }): Promise<void> {
    await this.#threads.react(options.threadId, Number(options.commentId), options.emoji);
  }

  async deleteReaction(options: { threadId: string; commentId: string; emoji: string }): Promise<void> {
    await this.#threads.unreact(options.threadId, Number(options.commentId), options.emoji);
  }

  getThread(threadId: string): ThreadData {
    const thread = this.#threads.getState().data.find(({ annotationId }) => annotationId === threadId);
    if (!thread) throw new Error("Thread not found");
    return toThread(thread, this.#shown);
  }

  getThreads(): Map<string, ThreadData> {
    const threads = this.#threads.getState().data.map((thread) => toThread(thread, this.#shown));
    return new Map(threads.map((thread) => [thread.id, thread]));
  }

  subscribe(listener: (threads: Map<string, ThreadData>) => void): () => void {
    return this.#threads.subscribe(() => listener(this.getThreads()));
  }
}

/** What BlockNote can show. */
interface ShownAs {
  isKnown: (userId: string) => boolean;
  schema: BodySchema | undefined;
}

function toThread(thread: CommentAnnotation, { isKnown, schema }: ShownAs): ThreadData {
  const { annotationId, comments, context, createdAt, lastUpdated, status, statusUpdatedByUserId } = thread;
  const resolved = status.type === "terminal";
  const resolvedBy = resolved ? thread.resolvedByUserId : undefined;
  return {
    type: "thread",
    id: annotationId,
    createdAt: new Date(createdAt),
    updatedAt: new Date(lastUpdated),
    comments: comments.map((comment) => toComment(comment, schema)),
    resolved,
    ...((resolved || statusUpdatedByUserId !== undefined) && { resolvedUpdatedAt: new Date(lastUpdated) }),
    ...(resolvedBy !== undefined && isKnown(resolvedBy) && { resolvedBy }),
    metadata: context?.blockNote,
    // BlockNote highlights nothing of a thread that is deleted.
    ...(comments.length > 0 && comments.every(isDeleted) && { deletedAt: new Date(lastUpdated) }),
  };
}

function toComment(comment: Comment, schema: BodySchema | undefined): CommentData {
  const createdAt = new Date(comment.createdAt);
  return {
    type: "comment",
    id: String(comment.commentId),
    userId: comment.from.userId,
    createdAt,
    // BlockNote shows a comment as edited if its times differ.
    updatedAt: comment.status === "updated" ? new Date(comment.lastUpdated) : createdAt,
    reactions: comment.reactions.map(({ reaction, userIds }) => toReaction(comment, reaction, userIds)),
    ...(isDeleted(comment)
      ? { deletedAt: new Date(comment.lastUpdated), body: undefined, metadata: undefined }
      : toBody(comment, schema)),
  };
}

function toReaction(comment: Comment, emoji: string, userIds: string[]): CommentReactionData {
  const times = comment.reactionAnnotations.find(({ icon }) => icon === emoji)?.fromUsers ?? [];
  const first = Math.min(...times.map(({ lastUpdated }) => lastUpdated));
  return { emoji, userIds, createdAt: new Date(Number.isFinite(first) ? first : comment.createdAt) };
}

/** What BlockNote offers a user: what the role permits. */
class ServiceAuth extends ThreadStoreAuth {
  readonly #threads: ThreadsStore;
  readonly #userId: string;

  constructor(threads: ThreadsStore, userId: string) {
    super();
    this.#threads = threads;
    this.#userId = userId;
  }

  get #role() {
    return this.#threads.getState().accessRole ?? "commenter";
  }

  #permits({ id }: ThreadData) {
    const thread = this.#threads.getState().data.find(({ annotationId }) => annotationId === id);
    return thread && getPermittedActions(thread, this.#userId, this.#role);
  }

  #mayChange({ userId }: CommentData): boolean {
    return this.#role === "moderator" || (userId === this.#userId && this.#role !== "viewer");
  }

  #hasReacted({ reactions }: CommentData, emoji: string): boolean {
    return reactions.some((reaction) => reaction.emoji === emoji && reaction.userIds.includes(this.#userId));
  }

  canCreateThread = (): boolean => this.#role !== "viewer";
  canAddComment = (): boolean => this.#role !== "viewer";
  canUpdateComment = (comment: CommentData): boolean => this.#mayChange(comment);
  canDeleteComment = (comment: CommentData): boolean => this.#mayChange(comment);
  canDeleteThread = (thread: ThreadData): boolean => this.#permits(thread)?.remove ?? false;
  canResolveThread = (thread: ThreadData): boolean => this.#permits(thread)?.resolve ?? false;
  canUnresolveThread = (thread: ThreadData): boolean => this.#permits(thread)?.resolve ?? false;
  canAddReaction = (comment: CommentData, emoji?: string): boolean =>
    this.#role !== "viewer" && (emoji === undefined || !this.#hasReacted(comment, emoji));
  canDeleteReaction = (comment: CommentData, emoji?: string): boolean =>
    this.#role !== "viewer" && (emoji === undefined || this.#hasReacted(comment, emoji));
}
