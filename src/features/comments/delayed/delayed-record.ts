import type { CommentTrigger } from "../triggers/comment-trigger.ts";

/** What is stored of a trigger for one recipient. The text of the comment and its tags are read at the delivery. */
export interface DelayedRecord
  extends Pick<CommentTrigger, "actionType" | "actionUser" | "locationId" | "changes" | "assignee"> {
  triggerNotification: boolean;
  recipient: { isConcerned: boolean; name?: string | undefined; email?: string | undefined };
}
