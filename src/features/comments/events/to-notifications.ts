import { getAccessFields } from "../../../contract/access-context.ts";
import type { DocumentNotification } from "../../notifications/delivery/deliver-notifications.ts";
import { type CommentEvent, MESSAGES, toSource } from "./comment-event.ts";

/**
 * Returns the notifications of comment events: one for each group, that of its event or a digest. Events that concern
 * only the acting user have none.
 */
export function toNotifications(groups: CommentEvent[][]): DocumentNotification[] {
  return groups.flatMap((group) => {
    const events = group.filter((event) => getInboxes(event).size > 0);
    const newest = events.at(-1);
    if (!newest) return [];
    return [events.length === 1 ? toNotification(newest) : toDigest(events, newest)];
  });
}

function toNotification(event: CommentEvent): DocumentNotification {
  const { documentId, actionType, actionUser, locationId, access, commentText = "" } = event;
  const notification = {
    actionUser,
    ...(locationId !== undefined && { locationId }),
    notifyUsers: [...getInboxes(event)].map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    notificationSourceData: { actionType, ...toSource(event) },
    displayHeadlineMessageTemplate: `{actionUser} ${MESSAGES[actionType]}`,
    displayHeadlineMessageTemplateData: { actionUser },
    displayBodyMessage: commentText,
    ...(access && { context: { access } }),
  };
  return { documentId, notification };
}

/**
 * Returns one notification for several events. It has no texts of comments: it belongs to several authors, and the
 * deletion of one of them keeps it for the others. A user needs the pairs of all their annotations.
 */
function toDigest(events: CommentEvent[], newest: CommentEvent): DocumentNotification {
  const { documentId, actionUser } = newest;
  const activities = events.map(({ actionType, annotationId, commentId, actionUser: { userId, name } }) => {
    return { actionType, annotationId, commentId, actionUser: { userId, name } };
  });
  const accessFields = new Set(events.flatMap(({ access = {} }) => getAccessFields(access)));
  const notification = {
    actionUser,
    notifyUsers: [...getInboxes(newest)].map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    notificationSourceData: { actionType: "comment.digest", activities },
    displayHeadlineMessageTemplate: "{count} updates in discussions, the latest from {actionUser}",
    displayHeadlineMessageTemplateData: { count: String(events.length), actionUser },
    ...(accessFields.size > 0 && { context: { accessFields: [...accessFields] } }),
  };
  const isOfOneUser = events.every((event) => event.actionUser.userId === actionUser.userId);
  return { documentId, notification, ...(!isOfOneUser && { authorId: NO_AUTHOR }) };
}

/** Author of a notification that no single user has caused, so that it is not deleted with one of them. */
const NO_AUTHOR = "";

/** Returns the users whose inboxes an event concerns, never the acting user. */
function getInboxes({ actionUser, concerned, participants, triggerNotification }: CommentEvent): Set<string> {
  const userIds = triggerNotification ? [...concerned.map(({ userId }) => userId), ...participants] : [];
  return new Set(userIds.filter((userId) => userId !== actionUser.userId));
}
