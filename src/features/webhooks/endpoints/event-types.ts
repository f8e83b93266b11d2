/** Names of the events that advanced webhooks send. Some are valid names that no operation causes yet. */
export const WEBHOOK_EVENT_TYPES = [
  ...["comment_annotation.add", "comment_annotation.status_change", "comment_annotation.assign"],
  ...["comment_annotation.priority_change", "comment_annotation.suggestion_accept"],
  ...["comment_annotation.suggestion_reject", "comment_annotation.custom_list_change", "comment_annotation.subscribe"],
  ...["comment_annotation.unsubscribe", "comment_annotation.accept", "comment_annotation.reject"],
  "comment_annotation.approve",
  ...["comment.add", "comment.update", "comment.delete", "comment.reaction_add", "comment.reaction_delete"],
  ...["crdt.update_data", "recorder.done", "message.attempt.exhausted"],
];
