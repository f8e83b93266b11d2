/** Kinds of events. Those of comments, collaborative documents and recordings have the names of comparable webhooks. */
export const EVENT_KINDS = [
  "activity.add",
  "activity.update",
  "activity.delete",
  "comment_annotation.add",
  "comment_annotation.update",
  "comment_annotation.status_change",
  "comment_annotation.assign",
  "comment_annotation.priority_change",
  "comment_annotation.suggestion_accept",
  "comment_annotation.suggestion_reject",
  "comment_annotation.delete",
  "comment_annotation.read",
  "comment.add",
  "comment.update",
  "comment.delete",
  "comment.reaction_add",
  "comment.reaction_delete",
  "recorder.done",
  "recorder.update",
  "recorder.delete",
  "notification.add",
  "notification.update",
  "notification.delete",
  "live_state.update",
  "presence.update",
  "presence.delete",
  "crdt.update_data",
  "crdt.versions_update",
  "crdt.delete",
  "document.update",
  "document.delete",
  "user.update",
  "user.delete",
  "organization.update",
  "user_data.deleted",
  "access.update",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds of the events that change inboxes. Deleting an annotation or a document hides its notifications. */
export const INBOX_KINDS: readonly EventKind[] = [
  "notification.add",
  "notification.update",
  "notification.delete",
  "comment_annotation.delete",
  "document.delete",
];

/** What webhooks report about an event besides its record: no content of comments. */
export interface EventDetails {
  /** Whether the comment was added with `triggerNotification`. */
  triggerNotification?: true;
  oldStatus?: object;
  newStatus?: object;
  newPriority?: string;
  /** Whether the annotation has an assignee now. */
  assigned?: boolean;
  /** Whether the visibility of the annotation has changed. */
  accessModeChanged?: true;
}

/** Kinds of the events that change the activities of an organization. Deleting a document hides its activities. */
export const ACTIVITY_KINDS: readonly EventKind[] = [
  "activity.add",
  "activity.update",
  "activity.delete",
  "document.delete",
];

/** Returns the kinds of the events that a reader gets in whichever document. */
export function getKindsAnywhere({ inbox, activities }: { inbox: boolean; activities: boolean }): EventKind[] {
  return [...(inbox ? INBOX_KINDS : []), ...(activities ? ACTIVITY_KINDS : [])];
}

/** Returns whether users may have lost access by a change of this kind. */
export function changesAccess(kind: string): boolean {
  return kind === "access.update";
}

/**
 * Who gets an event. `document`: users who may read its document. `organization`: those of them with a permission on
 * the organization. `user`: only its user. `backend`: only backends. `everyone`: all readers of the organization,
 * whatever they follow. Backends get every event but those of `user`.
 */
type Audience = "document" | "organization" | "user" | "backend" | "everyone";

/** A change that is written to the event log of an organization. */
export interface NewEvent {
  kind: EventKind;
  /** Undefined for an event about the organization. */
  documentId: string | undefined;
  /** IDs of what has changed. */
  subject: Readonly<Record<string, string | number>>;
  /** `document` by default. */
  audience?: Audience;
  /** The user for whom (audience `user`) or about whom (named by `subject`) the event is; otherwise the acting user. */
  userId?: string | undefined;
  details?: EventDetails | undefined;
  /** Pairs of the access context of a deleted record. */
  accessFields?: readonly string[] | undefined;
}
