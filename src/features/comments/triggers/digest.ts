import type { User } from "../../../contract/schema.ts";
import type { CommentTrigger } from "./comment-trigger.ts";
import { getHeadline } from "./messages.ts";

/** An event in a digest. It has no text. */
export interface DigestActivity extends Pick<CommentTrigger, "actionType" | "annotationId" | "commentId" | "updateId"> {
  annotationNumber?: number | undefined;
  actionUser: Pick<User, "userId" | "name">;
}

/** Returns the fields of the notification for events, oldest first, the newest of which is an act of `actionUser`. */
export function toDigestFields(activities: readonly DigestActivity[], actionUser: User) {
  const count = new Set(activities.map(({ updateId }, index) => updateId ?? index)).size;
  return {
    actionUser,
    notificationSourceData: { actionType: "comment.digest", activities },
    ...getHeadline(count === 1 ? "notification.comment.digest_of_one" : "notification.comment.digest"),
    displayHeadlineMessageTemplateData: { count: String(count), actionUser },
  };
}
