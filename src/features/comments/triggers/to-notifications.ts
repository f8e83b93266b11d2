import { getAccessFields } from "../../../contract/access-context.ts";
import type { DocumentNotification } from "../../notifications/delivery/deliver-notifications.ts";
import { type CommentTrigger, MESSAGES, toSource } from "./comment-trigger.ts";
import { toDigestFields } from "./digest.ts";

/**
 * Returns the notifications of comment triggers: one for each group, that of its trigger or a digest. Triggers that
 * concern only the acting user have none.
 */
export function toNotifications(groups: CommentTrigger[][]): DocumentNotification[] {
  return groups.flatMap((group) => {
    const triggers = group.filter((trigger) => getInboxes(trigger).size > 0);
    const newest = triggers.at(-1);
    if (!newest) return [];
    return [triggers.length === 1 ? toNotification(newest) : toDigest(triggers, newest)];
  });
}

function toNotification(trigger: CommentTrigger): DocumentNotification {
  const { documentId, actionType, actionUser, locationId, access, commentText = "" } = trigger;
  const notification = {
    actionUser,
    ...(locationId !== undefined && { locationId }),
    notifyUsers: [...getInboxes(trigger)].map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    notificationSourceData: { actionType, ...toSource(trigger) },
    displayHeadlineMessageTemplate: `{actionUser} ${MESSAGES[actionType]}`,
    displayHeadlineMessageTemplateData: { actionUser },
    displayBodyMessage: commentText,
    ...(access && { context: { access } }),
  };
  return { documentId, notification, subjects: [trigger] };
}

/**
 * Returns one notification for several triggers. It has no texts of comments: it belongs to several authors, and the
 * deletion of one of them keeps it for the others. A user needs the pairs of all their annotations.
 */
function toDigest(triggers: CommentTrigger[], newest: CommentTrigger): DocumentNotification {
  const { documentId, actionUser } = newest;
  const activities = triggers.map(({ actionType, annotationId, commentId, actionUser: { userId, name } }) => {
    return { actionType, annotationId, commentId, actionUser: { userId, ...(name !== undefined && { name }) } };
  });
  const accessFields = new Set(triggers.flatMap(({ access = {} }) => getAccessFields(access)));
  const notification = {
    ...toDigestFields(activities, actionUser),
    notifyUsers: [...getInboxes(newest)].map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    ...(accessFields.size > 0 && { context: { accessFields: [...accessFields] } }),
  };
  const isOfOneUser = triggers.every((trigger) => trigger.actionUser.userId === actionUser.userId);
  return { documentId, notification, subjects: triggers, ...(!isOfOneUser && { authorId: NO_AUTHOR }) };
}

/** Author of a notification that no single user has caused, so that it is not deleted with one of them. */
const NO_AUTHOR = "";

/** Returns the users whose inboxes a trigger concerns, never the acting user. */
function getInboxes({ actionUser, concerned, participants, triggerNotification }: CommentTrigger): Set<string> {
  const userIds = triggerNotification ? [...concerned.map(({ userId }) => userId), ...participants] : [];
  return new Set(userIds.filter((userId) => userId !== actionUser.userId));
}
