import { accessFieldsOf } from "../../../contract/access-context.ts";
import type { Queryable } from "../../../database/statement.ts";
import { TRIGGERS } from "../../../email/templates.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { announceByMail, isMailed, type MailAnnouncement } from "../../mails/announce.ts";
import { type NotifyCall, notify } from "../../notifications/delivery/notify.ts";
import { type Announcement, type CommentEvent, MESSAGES, sourceOf } from "./event.ts";
import { withSeeingUsers } from "./seeing-users.ts";

/**
 * Notifies the users of events who may see the annotation, in inboxes and by mail, as their preferences decide. The
 * events of a digest, which all concern one user, make one notification and one mail.
 */
export async function deliver(
  transaction: Queryable,
  jobs: JobQueue,
  given: Announcement[],
  givenDigests: Announcement[] = [],
): Promise<void> {
  const announcements = await withSeeingUsers(transaction, given);
  const digests = await withSeeingUsers(transaction, givenDigests);
  await notify(transaction, [...announcements.flatMap(notificationsOf), ...digests.flatMap(digestNotificationOf)]);
  await announceByMail(transaction, jobs, announcements.flatMap(mailsOf), digests.map(mailsOf));
}

/** Returns the notifications of the events, none for events that concern only the acting user. */
function notificationsOf({ events, ...destination }: Announcement): NotifyCall[] {
  return events.flatMap((event) => {
    const { actionType, actionUser, locationId, access, commentText = "" } = event;
    const userIds = inboxesOf(event);
    if (userIds.size === 0) return [];
    const notification = {
      actionUser,
      ...(locationId !== undefined && { locationId }),
      notifyUsers: [...userIds].map((userId) => ({ userId })),
      notifyAll: false,
      notificationSource: "comment",
      notificationSourceData: { actionType, ...sourceOf(event) },
      displayHeadlineMessageTemplate: `{actionUser} ${MESSAGES[actionType]}`,
      displayHeadlineMessageTemplateData: { actionUser },
      displayBodyMessage: commentText,
      ...(access && { context: { access } }),
    };
    return [{ ...destination, notification }];
  });
}

/**
 * Returns one notification for the events of a digest. It has no texts of comments: it belongs to several authors, and
 * the deletion of one of them keeps it for the others. A user needs the pairs of all their annotations.
 */
function digestNotificationOf({ events: given, ...destination }: Announcement): NotifyCall[] {
  const events = given.filter((event) => inboxesOf(event).size > 0);
  const newest = events.at(-1);
  if (newest === undefined || events.length === 1) return notificationsOf({ ...destination, events });
  const { actionUser } = newest;
  const activities = events.map(({ actionType, annotationId, commentId, actionUser: { userId, name } }) => {
    return { actionType, annotationId, commentId, actionUser: { userId, name } };
  });
  const accessFields = new Set(events.flatMap(({ access = {} }) => accessFieldsOf(access)));
  const notification = {
    actionUser,
    notifyUsers: [...inboxesOf(newest)].map((userId) => ({ userId })),
    notifyAll: false,
    notificationSource: "comment",
    notificationSourceData: { actionType: "comment.digest", activities },
    displayHeadlineMessageTemplate: "{count} updates in discussions, the latest from {actionUser}",
    displayHeadlineMessageTemplateData: { count: String(events.length), actionUser },
    ...(accessFields.size > 0 && { context: { accessFields: [...accessFields] } }),
  };
  const isOfOneUser = events.every((event) => event.actionUser.userId === actionUser.userId);
  return [{ ...destination, notification, ...(!isOfOneUser && { authorId: NO_AUTHOR }) }];
}

/** Author of a notification that no single user has caused, so that it is not deleted with one of them. */
const NO_AUTHOR = "";

/** Returns the users whose inboxes an event concerns, never the acting user. */
function inboxesOf({ actionUser, concerned, participants, triggerNotification }: CommentEvent): Set<string> {
  const userIds = triggerNotification ? [...concerned.map(({ userId }) => userId), ...participants] : [];
  return new Set(userIds.filter((userId) => userId !== actionUser.userId));
}

function mailsOf({ events, ...document }: Announcement): MailAnnouncement[] {
  return events.flatMap((event) => {
    const { actionUser: actor, annotationId, tagged, assignee } = event;
    const trigger = mailTriggerOf(document, event);
    if (!trigger) return [];
    const change = event.changes?.status ?? event.changes?.priority;
    const about = { text: event.commentText, tagged, from: labelOf(change?.from), to: labelOf(change?.to), assignee };
    return [{ ...document, annotationId, trigger, actor, recipients: recipientsOf(event), about }];
  });
}

/** Returns the trigger of the event's mails; undefined if the workspace sends none. */
export function mailTriggerOf({ workspace }: Pick<Announcement, "workspace">, { actionType }: CommentEvent) {
  const trigger = TRIGGERS.find((name) => name === actionType);
  return trigger && isMailed({ workspace, trigger }) ? trigger : undefined;
}

/** Returns the users whom the event concerns, and the participants. A user may occur several times. */
export function recipientsOf({ concerned, participants }: CommentEvent): MailAnnouncement["recipients"] {
  return [
    ...concerned.map((user) => ({ ...user, isConcerned: true })),
    ...[...participants].map((userId) => ({ userId, isConcerned: false })),
  ];
}

/** Returns the label of a status or priority, which is a text, a number or an object with a name or an id. */
function labelOf(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { name, id }: { name?: unknown; id?: unknown } = value;
  return labelOf(typeof name === "object" ? undefined : name) ?? (typeof id === "object" ? undefined : labelOf(id));
}
