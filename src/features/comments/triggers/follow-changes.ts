import { parseRecord, withTexts } from "../../../json/record-texts.ts";
import type { ListenedWorkspace } from "../../event-log/record-events.ts";
import { replaceQueuedTexts } from "../../mails/queued-texts.ts";
import { readInboxes, recordInboxEvents } from "../../notifications/event-log.ts";
import { deleteNotificationRows } from "../../notifications/notification-queries.ts";
import {
  lockNotificationsAbout,
  type NotificationAbout,
  replaceRecordsAbout,
} from "../../notifications/notification-subject-queries.ts";
import type { InTransaction, OrganizationScope, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type DigestActivity, toDigestFields } from "./digest.ts";

/** A locked annotation that is deleted, or those of its comments that are. */
export interface Deleted {
  annotationId: string;
  sequence: number;
  /** Undefined if the whole annotation is deleted. */
  commentIds?: readonly number[] | undefined;
}

/**
 * Removes deleted annotations and comments of a document from notifications: deletes those about them alone, and takes
 * them out of digests. Records the events of the inboxes. Removes their texts from mails that wait.
 */
export async function withdrawNotifications(
  scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
  documentId: string,
  deleted: readonly Deleted[],
): Promise<void> {
  const texts = deleted.map(({ annotationId, commentIds }) => {
    return { annotationId, texts: commentIds && new Map(commentIds.map((commentId) => [commentId, undefined])) };
  });
  await replaceQueuedTexts(scope, documentId, texts);
  for await (const locked of lockNotificationsAbout(scope, toSubjects(deleted))) {
    const { gone, left } = withoutDeleted(locked, deleted);
    const change = {
      match: { sequences: [...gone, ...left.map(({ sequence }) => sequence)] },
      changedIds: new Set(left.map(({ id }) => id)),
    };
    const before = await readInboxes(scope, change);
    await deleteNotificationRows(scope, gone);
    await replaceRecordsAbout(scope, withTexts(left));
    await recordInboxEvents(scope, change, before);
  }
}

/** Does the same for the deletion of a user's data, which records no events. */
export async function purgeFromNotifications(
  scope: InTransaction<StoredOrganization>,
  deleted: readonly Deleted[],
): Promise<void> {
  for await (const locked of lockNotificationsAbout(scope, toSubjects(deleted))) {
    const { gone, left } = withoutDeleted(locked, deleted);
    await deleteNotificationRows(scope, gone);
    await replaceRecordsAbout(scope, withTexts(left));
  }
}

function toSubjects(deleted: readonly Deleted[]) {
  return deleted.flatMap(({ sequence: annotationSequence, commentIds }) =>
    commentIds ? commentIds.map((commentId) => ({ annotationSequence, commentId })) : [{ annotationSequence }],
  );
}

/** Returns the positions of the notifications about nothing else, and the digests that are about something else too. */
function withoutDeleted(notifications: NotificationAbout[], deleted: readonly Deleted[]) {
  const byId = new Map(
    deleted.map(({ annotationId, commentIds }) => [annotationId, commentIds && new Set(commentIds)]),
  );
  const isLeft = ({ annotationId, commentId }: DigestActivity) => {
    if (!byId.has(annotationId)) return true;
    const commentIds = byId.get(annotationId);
    return commentIds !== undefined && (commentId === undefined || !commentIds.has(commentId));
  };
  const gone: number[] = [];
  const left: { id: string; sequence: number; record: object }[] = [];
  for (const { id, sequence, record } of notifications) {
    const stored = toCommentNotification(parseRecord(record));
    const activities = stored.notificationSourceData?.activities?.filter(isLeft) ?? [];
    const newest = activities.at(-1);
    if (newest) left.push({ id, sequence, record: { ...stored, ...toDigestFields(activities, newest.actionUser) } });
    else gone.push(sequence);
  }
  return { gone, left };
}

/** The fields of a notification of comments that changes of the comments concern. A backend may have removed them. */
interface CommentNotification {
  displayBodyMessage?: string | null;
  notificationSourceData?: { commentId?: number; commentText?: string; activities?: DigestActivity[] } | null;
}

/** Casts the parsed record of a notification. The cast holds because only notifications of comments have subjects. */
function toCommentNotification(record: object): CommentNotification {
  return record as CommentNotification;
}

/** A comment before and after an update. */
export interface ChangedText {
  commentId: number;
  from: string;
  to: string;
}

/**
 * Replaces the texts of updated comments in notifications, and in mails that wait. A text that a backend has replaced
 * meanwhile stays.
 */
export async function updateNotifiedTexts(
  scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
  annotation: { documentId: string; annotationId: string; sequence: number },
  texts: readonly ChangedText[],
): Promise<void> {
  const { documentId, annotationId, sequence: annotationSequence } = annotation;
  const newTexts = new Map(texts.map(({ commentId, to }) => [commentId, to]));
  await replaceQueuedTexts(scope, documentId, [{ annotationId, texts: newTexts }]);
  const byId = new Map(texts.map((text) => [text.commentId, text]));
  const subjects = texts.map(({ commentId }) => ({ annotationSequence, commentId }));
  for await (const locked of lockNotificationsAbout(scope, subjects)) {
    const changed = locked.flatMap(({ id, sequence, record }) => {
      const stored = toCommentNotification(parseRecord(record));
      const { notificationSourceData: data, displayBodyMessage: body } = stored;
      const text = data?.commentId === undefined ? undefined : byId.get(data.commentId);
      if (!text) return [];
      const isShown = body === text.from;
      const notificationSourceData = { ...data, commentText: text.to };
      return [
        {
          id,
          sequence,
          record: { ...stored, notificationSourceData, ...(isShown && { displayBodyMessage: text.to }) },
        },
      ];
    });
    const ids = changed.map(({ id }) => id);
    const change = { match: { ids }, changedIds: new Set(ids) };
    const before = await readInboxes(scope, change);
    await replaceRecordsAbout(scope, withTexts(changed));
    await recordInboxEvents(scope, change, before);
  }
}
