/** How a workspace notifies users of comments. */
export interface CommentNotifications {
  /** Names of the comment events that notify, in inboxes and by mail. Empty while the notification service is off. */
  events: readonly string[];
}

/** Every comment event that can notify, by the name of its switch. */
export const COMMENT_EVENTS = {
  newlyAdded: "comment_annotation.add",
  added: "comment.add",
  updated: "comment.update",
  statusChanged: "comment_annotation.status_change",
  assigned: "comment_annotation.assign",
  priorityChanged: "comment_annotation.priority_change",
} as const;

/** How a workspace that has set nothing notifies users. */
export const DEFAULT_COMMENT_NOTIFICATIONS: CommentNotifications = { events: Object.values(COMMENT_EVENTS) };
