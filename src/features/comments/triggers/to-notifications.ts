import { getAccessFields } from "../../../contract/access-context.ts";
import { readDocumentNames } from "../../mails/known-users.ts";
import type { DocumentNotification } from "../../notifications/delivery/deliver-notifications.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { selectAnnotationNumbers } from "../annotations/annotation-number-queries.ts";
import { type CommentTrigger, toSource } from "./comment-trigger.ts";
import { toDigestFields } from "./digest.ts";
import { getHeadline, type MessageKey } from "./messages.ts";
import { getUpdateHeadline, isOneUpdate } from "./update-headline.ts";

/** A trigger with the number of its annotation in the document, which users see. */
interface NumberedTrigger extends CommentTrigger {
  annotationNumber: number | undefined;
}

/**
 * Returns the notifications of comment triggers: one for each group, that of its changes or a digest, and for a comment
 * one to those whom it mentions and one to the others. Triggers that concern only the acting user have none.
 */
export async function toNotifications(
  scope: OrganizationScope,
  groups: CommentTrigger[][],
): Promise<DocumentNotification[]> {
  const notifying = groups.map((group) => group.filter((trigger) => getInboxes(trigger).size > 0));
  const updates = notifying.filter(isOneUpdate);
  const getDocumentName = await readDocumentNames(
    scope,
    updates.flatMap(([first]) => first?.documentId ?? []),
  );
  const sequences = new Set(notifying.flat().map(({ annotationSequence }) => annotationSequence));
  const numbers = await selectAnnotationNumbers(scope, [...sequences]);
  const withNumber = (trigger: CommentTrigger): NumberedTrigger => {
    return { ...trigger, annotationNumber: numbers.get(trigger.annotationSequence) };
  };
  return notifying.flatMap((group) => {
    const triggers = group.map(withNumber);
    const newest = triggers.at(-1);
    if (!newest) return [];
    if (isOneUpdate(triggers)) return [toUpdateNotification(triggers, newest, getDocumentName(newest.documentId))];
    return triggers.length === 1 ? toCommentNotifications(newest) : [toDigest(triggers, newest)];
  });
}

/** Returns the notifications of a comment: to the users whom it mentions, and to the others. */
function toCommentNotifications(trigger: NumberedTrigger): DocumentNotification[] {
  const { actionUser, actionType, tagged = [] } = trigger;
  const inboxes = [...getInboxes(trigger)];
  const taggedUserIds = new Set(tagged.map(({ userId }) => userId));
  const isMentioned = (userId: string) => actionType === "comment.update" || taggedUserIds.has(userId);
  const isNew = actionType === "comment_annotation.add";
  const parts = [
    { messageKey: "notification.comment.mention", userIds: inboxes.filter(isMentioned) },
    {
      messageKey: isNew ? "notification.comment_annotation.add" : "notification.comment.add",
      userIds: inboxes.filter((userId) => !isMentioned(userId)),
    },
  ] as const;
  return parts.flatMap(({ messageKey, userIds }) => {
    const headline = { ...getHeadline(messageKey), displayHeadlineMessageTemplateData: { actionUser } };
    return userIds.length > 0 ? [toNotification(trigger, userIds, headline)] : [];
  });
}

/** Returns one notification for the changes that one update makes to an annotation. */
function toUpdateNotification(
  triggers: NumberedTrigger[],
  newest: NumberedTrigger,
  documentName: string,
): DocumentNotification {
  const { actionUser } = newest;
  const userIds = [...new Set(triggers.flatMap((trigger) => [...getInboxes(trigger)]))];
  const { actionType = newest.actionType } = triggers[0] ?? {};
  const changes = Object.assign({}, ...triggers.map((trigger) => trigger.changes));
  return toNotification(
    { ...newest, actionType, changes },
    userIds,
    getUpdateHeadline(triggers, actionUser, documentName),
  );
}

function toNotification(
  trigger: NumberedTrigger,
  userIds: string[],
  headline: {
    messageKey: MessageKey;
    displayHeadlineMessageTemplate: string;
    displayHeadlineMessageTemplateData: object;
  },
): DocumentNotification {
  const { documentId, actionType, actionUser, annotationNumber, locationId, access, commentText = "" } = trigger;
  const notification = {
    actionUser,
    ...(locationId !== undefined && { locationId }),
    notifyUsers: userIds.map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    notificationSourceData: { actionType, annotationNumber, ...toSource(trigger) },
    ...headline,
    displayBodyMessage: commentText,
    ...(access && { context: { access } }),
  };
  return { documentId, notification, subjects: [trigger] };
}

/**
 * Returns one notification for several triggers. It has no texts of comments: it belongs to several authors, and the
 * deletion of one of them keeps it for the others. A user needs the pairs of all their annotations.
 */
function toDigest(triggers: NumberedTrigger[], newest: CommentTrigger): DocumentNotification {
  const { documentId, actionUser } = newest;
  const activities = triggers.map(({ actionUser: { userId, name }, ...trigger }) => {
    const { actionType, annotationId, annotationNumber, commentId, updateId } = trigger;
    const user = { userId, ...(name !== undefined && { name }) };
    return { actionType, annotationId, annotationNumber, commentId, updateId, actionUser: user };
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
