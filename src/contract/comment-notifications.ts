/** How a workspace notifies users of comments. */
export interface CommentNotifications {
  /** Names of the comment events that notify, in inboxes and by mail. Empty while the notification service is off. */
  events: readonly string[];
  /** How notifications are delayed; undefined if they are delivered at once. */
  deliverySettings: DeliverySettings | undefined;
}

export interface DeliverySettings {
  /** Time before a notification is ready; 0 without a delay. */
  delaySeconds: number;
  /** Window in which the ready notifications of a recipient in a document are collected. */
  document: Window | undefined;
  /** Window in which all ready notifications of a recipient in an organization are collected. */
  user: Window | undefined;
}

export interface Window {
  seconds: number;
  maxActivities: number;
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
export type CommentEventName = (typeof COMMENT_EVENTS)[keyof typeof COMMENT_EVENTS];

/** How a workspace that has set nothing notifies users. */
export const DEFAULT_COMMENT_NOTIFICATIONS: CommentNotifications = {
  events: Object.values(COMMENT_EVENTS),
  deliverySettings: undefined,
};
