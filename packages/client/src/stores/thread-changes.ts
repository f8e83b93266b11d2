import type { Comment, CommentAnnotation, User } from "../api.generated.ts";
import type { Change } from "./optimistic-list.ts";

/** A comment, also one that the service has not stored yet. */
export interface CommentRecord extends Comment {
  /** Whether the service has not responded yet to the addition or change. A new comment has a negative ID then. */
  isPending?: boolean;
}

/** A thread, also one that the service has not stored yet. */
export interface ThreadRecord extends CommentAnnotation {
  comments: CommentRecord[];
  /** Whether the service has not responded yet to the addition, or to a change. */
  isPending?: boolean;
}

/** The content of a comment that is added. The service adds the members of the groups. */
export interface NewContent
  extends Partial<Pick<Comment, "commentText" | "commentHtml" | "attachments" | "taggedUserContacts">> {
  taggedUserGroups?: { groupId: string; text: string }[];
}

type ThreadChange = Change<ThreadRecord>;

let pendingComments = 0;
/** IDs that the service has given to comments, by their negative ones. */
const storedIds = new Map<number, number>();

/** Records the ID that the service has given to a comment. */
export function setStoredId({ commentId }: CommentRecord, storedId: number | undefined): void {
  if (storedId !== undefined) storedIds.set(commentId, storedId);
}

/** Returns the ID of a comment in the service. One that was not stored keeps its negative ID. */
export function toStoredId(commentId: number): number {
  return storedIds.get(commentId) ?? commentId;
}

/** Returns the addition of a thread with a comment. */
export function threadAddition(
  thread: Pick<ThreadRecord, "annotationId" | "from" | "metadata"> & Partial<ThreadRecord>,
  comment: CommentRecord,
): ThreadChange {
  const now = Date.now();
  return {
    id: thread.annotationId,
    apply: (_, isPending): ThreadRecord => ({
      ...{ status: { id: "OPEN", name: "Open", type: "default" }, visibilityConfig: { type: "public" } },
      ...{ createdAt: now, lastUpdated: now, annotationNumber: 0, annotationIndex: 1, hasDraftComments: false },
      ...{ sourceType: "rest-api", ...thread, comments: [toShown(comment, isPending)], isPending },
    }),
    isApplied: (known) => known !== undefined,
  };
}

/** Returns a comment as the service would store it. */
export function newComment(from: User, content: NewContent): CommentRecord {
  pendingComments += 1;
  return {
    ...{ from, commentId: -pendingComments, type: "text", status: "added", isDraft: false },
    ...{ isCommentTextAvailable: Boolean(content.commentText), attachments: [], taggedUserContacts: [] },
    ...{ reactions: [], reactionAnnotationIds: [], reactionAnnotations: [] },
    ...{ createdAt: Date.now(), lastUpdated: new Date().toISOString() },
    ...toStoredContent(content),
  };
}

/** Returns the content of a comment as it is until the service has responded. */
export function toStoredContent({ taggedUserGroups, ...content }: NewContent): Partial<Comment> {
  return {
    ...content,
    ...(taggedUserGroups && { taggedUserGroups: taggedUserGroups.map((tag) => ({ ...tag, userIds: [] })) }),
  };
}

function toShown(comment: CommentRecord, isPending: boolean): CommentRecord {
  return { ...comment, commentId: toStoredId(comment.commentId), isPending };
}

/** Returns the addition of a comment to a thread. */
export function replyChange(
  thread: ThreadRecord | undefined,
  annotationId: string,
  reply: CommentRecord,
): ThreadChange {
  const known = new Set(thread?.comments.map(({ commentId }) => commentId));
  const isReply = ({ commentId, from, commentText }: Comment) => {
    const storedId = toStoredId(reply.commentId);
    if (storedId !== reply.commentId) return commentId === storedId;
    // The event may come before the response.
    return !known.has(commentId) && from.userId === reply.from.userId && commentText === reply.commentText;
  };
  return {
    id: annotationId,
    apply: ifListed((record, isPending) => ({ ...record, comments: [...record.comments, toShown(reply, isPending)] })),
    isApplied: (record) => record === undefined || record.comments.some(isReply),
  };
}

/** Returns a change of some fields of a thread. */
export function threadChange(
  annotationId: string,
  fields: Partial<ThreadRecord>,
  isApplied: (thread: ThreadRecord) => boolean,
): ThreadChange {
  return {
    id: annotationId,
    apply: ifListed((record, isPending) => ({ ...record, ...fields, isPending })),
    isApplied: (record) => record === undefined || isApplied(record),
  };
}

/** Returns the deletion of a thread. */
export function threadDeletion(annotationId: string): ThreadChange {
  return { id: annotationId, apply: () => undefined, isApplied: (record) => record === undefined };
}

/** Returns a change of a comment, whose result is the comment after it, or undefined if it deletes the comment. */
export function commentChange(
  annotationId: string,
  commentId: number,
  change: {
    apply(comment: CommentRecord, isPending: boolean): CommentRecord | undefined;
    isApplied(comment: CommentRecord): boolean;
  },
): ThreadChange {
  const isThis = (comment: CommentRecord) => toStoredId(comment.commentId) === toStoredId(commentId);
  return {
    id: annotationId,
    apply: ifListed((record, isPending) => ({
      ...record,
      comments: record.comments.flatMap((comment) =>
        isThis(comment) ? (change.apply(comment, isPending) ?? []) : comment,
      ),
    })),
    isApplied(record) {
      const comment = record?.comments.find(isThis);
      return comment === undefined || change.isApplied(comment);
    },
  };
}

/** Returns a function that leaves out a record that the list does not have. */
function ifListed(apply: (record: ThreadRecord, isPending: boolean) => ThreadRecord): ThreadChange["apply"] {
  return (record, isPending) => record && apply(record, isPending);
}

/** Returns a comment with a reaction of the user, or without it. */
export function withReaction(comment: CommentRecord, reaction: string, from: User, isOn: boolean): CommentRecord {
  const lastUpdated = Date.now();
  const given = comment.reactionAnnotations.find(({ icon }) => isSameReaction(icon, reaction));
  const others = given?.fromUsers.filter((each) => each.from.userId !== from.userId) ?? [];
  const fromUsers = isOn ? [...others, { lastUpdated, from }] : others;
  const reacted = {
    ...{ annotationId: "", type: "reaction" as const, icon: reaction, commentAnnotationId: "" },
    ...given,
    ...{ lastUpdated, fromUsers },
  };
  const replaced = comment.reactionAnnotations.map((each) => (each === given ? reacted : each));
  const reactionAnnotations = (given ? replaced : [...replaced, reacted]).filter((each) => each.fromUsers.length > 0);
  return {
    ...comment,
    reactionAnnotations,
    reactionAnnotationIds: reactionAnnotations.map(({ annotationId }) => annotationId),
    reactions: reactionAnnotations.map(({ icon, fromUsers }) => {
      return { reaction: icon, userIds: fromUsers.map(({ from }) => from.userId) };
    }),
  };
}

/** Returns whether a user has added a reaction to a comment. */
export function hasReaction({ reactionAnnotations }: Comment, reaction: string, userId: string): boolean {
  return reactionAnnotations.some(
    ({ icon, fromUsers }) => isSameReaction(icon, reaction) && fromUsers.some(({ from }) => from.userId === userId),
  );
}

/** Returns whether reactions look alike, as the service compares them. Keyboards add U+FE0F to some emojis. */
function isSameReaction(reaction: string, other: string): boolean {
  const [first, second] = [reaction, other].map((each) => each.normalize("NFC").replaceAll("\ufe0f", ""));
  return first === second;
}

/** Returns a comment whose reactions keep their places. The service moves one when the first user deletes theirs. */
export function keepReactionOrder(before: Comment | undefined, comment: CommentRecord): CommentRecord {
  const icons = before?.reactionAnnotations.map(({ icon }) => icon) ?? [];
  const place = (icon: string) => (icons.includes(icon) ? icons.indexOf(icon) : icons.length);
  return {
    ...comment,
    reactionAnnotations: comment.reactionAnnotations.slice().sort((one, other) => place(one.icon) - place(other.icon)),
    reactions: comment.reactions.slice().sort((one, other) => place(one.reaction) - place(other.reaction)),
  };
}
