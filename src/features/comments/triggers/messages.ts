/**
 * English templates of the activities, and of the headlines of notifications, that the service writes. Their keys are
 * the `messageKey` of these records, by which pages translate them: a key keeps its meaning and its placeholders.
 */
export const MESSAGES = {
  "activity.comment_annotation.add": "{{user}} started a discussion",
  "activity.comment.add": "{{user}} commented",
  "activity.comment.delete": "{{user}} deleted a comment",
  "activity.comment_annotation.delete": "{{user}} deleted a discussion",
  "activity.comment_annotation.resolve": "{{user}} resolved a discussion",
  "activity.comment_annotation.status_change": "{{user}} changed the status of a discussion",
  "activity.comment_annotation.assign": "{{user}} assigned a discussion",
  "activity.comment_annotation.priority_change": "{{user}} changed the priority of a discussion",
  "notification.comment_annotation.add": "{actionUser} started a discussion",
  "notification.comment.add": "{actionUser} commented",
  "notification.comment.mention": "{actionUser} mentioned you",
  "notification.comment_annotation.resolve": "{actionUser} resolved a discussion in {document} as {status}",
  "notification.comment_annotation.status_change":
    "{actionUser} changed the status of a discussion in {document} to {status}",
  "notification.comment_annotation.assign": "{actionUser} assigned a discussion in {document} to {assignee}",
  "notification.comment_annotation.unassign": "{actionUser} removed the assignee of a discussion in {document}",
  "notification.comment_annotation.priority_change":
    "{actionUser} changed the priority of a discussion in {document} to {priority}",
  "notification.comment_annotation.unnamed_priority": "{actionUser} changed the priority of a discussion in {document}",
  "notification.comment_annotation.priority_remove": "{actionUser} removed the priority of a discussion in {document}",
  "notification.comment_annotation.update": "{actionUser} changed a discussion in {document}",
  "notification.comment.digest": "{count} updates in discussions, the latest from {actionUser}",
  "notification.comment.digest_of_one": "An update in a discussion from {actionUser}",
} as const;

export type MessageKey = keyof typeof MESSAGES;

/** Returns the template of an activity, and its key. */
export function getMessage(messageKey: MessageKey & `activity.${string}`) {
  return { displayMessageTemplate: MESSAGES[messageKey], messageKey };
}

/** Returns the template of a headline, and its key. */
export function getHeadline(messageKey: MessageKey & `notification.${string}`) {
  return { displayHeadlineMessageTemplate: MESSAGES[messageKey], messageKey };
}
