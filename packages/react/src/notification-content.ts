import type { Notification } from "@colloquy/client";
import type { Texts } from "./language-texts.ts";
import { chooseTemplate, fillTemplate, getName } from "./template.ts";

/** Returns the headline and the body of a notification with their placeholders filled in. */
export function getContent(
  notification: Notification,
  userId: string,
  texts: Texts,
): { headline: string; body: string } {
  const { actionUser, messageKey, displayHeadlineMessageTemplate } = notification;
  const { displayBodyMessageTemplate, displayBodyMessage } = notification;
  const { annotationNumber: number } = notification.notificationSourceData ?? {};
  const chosen = chooseTemplate(displayHeadlineMessageTemplate, messageKey, texts);
  const isNumbered = typeof number === "number";
  const headlineTemplate = isNumbered || !chosen?.includes("{number}") ? chosen : displayHeadlineMessageTemplate;
  const users = { actionUser, recipientUser: { userId }, ...(isNumbered && { number }) };
  const headlineValues = { ...users, ...notification.displayHeadlineMessageTemplateData };
  const bodyValues = { ...users, ...notification.displayBodyMessageTemplateData };
  return {
    headline: headlineTemplate
      ? fillTemplate("notification", headlineTemplate, headlineValues)
      : getName(actionUser, texts),
    body: displayBodyMessageTemplate
      ? fillTemplate("notification", displayBodyMessageTemplate, bodyValues)
      : (displayBodyMessage ?? ""),
  };
}

/** Returns whether a notification tells the user about a mention. */
export function isMention({ messageKey }: Notification): boolean {
  return messageKey === "notification.comment.mention";
}

/** Returns the notifications of each thread together, at the place of the newest one. Others are alone. */
export function groupByThread(notifications: Notification[]): [Notification, ...Notification[]][] {
  const groups = new Map<string, [Notification, ...Notification[]]>();
  for (const notification of notifications) {
    const { id, metadata, notificationSourceData } = notification;
    const annotationId = notificationSourceData?.annotationId;
    const key = JSON.stringify(annotationId === undefined ? [id] : [metadata.documentId, annotationId]);
    const group = groups.get(key);
    if (group) group.push(notification);
    else groups.set(key, [notification]);
  }
  return [...groups.values()];
}
