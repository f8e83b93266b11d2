import { getAccess } from "../../../contract/access-context.ts";
import { getCommentText } from "../../../contract/comment-text.ts";
import type { Job, JobQueue } from "../../../jobs/jobs.ts";
import { queueMails } from "../../mails/queue-mails.ts";
import { deliverNotifications } from "../../notifications/delivery/deliver-notifications.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../../tenancy/deliver-delayed-notifications.ts";
import {
  type InTransaction,
  identifyOrganization,
  type OrganizationScope,
  type StoredOrganization,
  transactionalOrganization,
} from "../../tenancy/organization-scope.ts";
import { findCallingWorkspace } from "../../workspaces/workspace-queries.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { readComment, taggedUsers } from "../comments/comment.ts";
import { chooseRecipients } from "../triggers/choose-recipients.ts";
import type { CommentTrigger } from "../triggers/comment-trigger.ts";
import { toMailedEvents } from "../triggers/to-mailed-events.ts";
import { toNotifications } from "../triggers/to-notifications.ts";
import {
  type DelayedFacts,
  type DelayedRow,
  deleteDelayed,
  lockReadyNotifications,
  postponeUntilDue,
  selectConcerning,
  selectOrganizationToDeliver,
  selectUsersBeingDeleted,
} from "./delayed-notification-queries.ts";
import type { DelayedRecord } from "./delayed-record.ts";
import { groupIntoDigests } from "./digests.ts";

/** A delayed notification that still concerns its recipient. */
type Concerning = DelayedRow & Omit<DelayedFacts, "id">;

/**
 * Creates the job that delivers what is ready in an organization, a bounded number in each transaction. The rows are
 * deleted by the transaction that delivers them, so that a killed job delivers nothing twice and loses nothing.
 */
export function createDeliverDelayedNotifications(jobs: JobQueue): Job<typeof DELIVER_DELAYED_NOTIFICATIONS.payload> {
  return {
    ...DELIVER_DELAYED_NOTIFICATIONS,
    async run({ database, signal }, { organizationKey }) {
      const organization = transactionalOrganization(database, organizationKey);
      let isMore = true;
      while (isMore) {
        signal.throwIfAborted();
        isMore = await organization.transaction((transaction) => deliverNext(transaction, jobs));
      }
    },
  };
}

/** Returns whether there may be more. Notifications of a disabled organization wait until it is enabled. */
async function deliverNext(organization: InTransaction<StoredOrganization>, jobs: JobQueue): Promise<boolean> {
  const found = await selectOrganizationToDeliver(organization);
  if (!found || found.block) return false;
  const { nowMs } = found;
  const ready = await lockReadyNotifications(organization, nowMs);
  if (ready.length === 0) return false;
  const workspace = await findCallingWorkspace(organization, found.workspaceId);
  if (!workspace) return false;
  const scope = identifyOrganization(organization, workspace, found.organizationId);
  const concerning = await findConcerning(scope, ready);
  const batches = groupIntoDigests(concerning, nowMs);
  const chosen = await chooseRecipients(scope, groupTriggers(batches));
  await deliverNotifications(scope, await toNotifications(scope, chosen));
  await queueMails(scope, jobs, toMailedEvents(workspace, chosen));
  const delivered = new Set(batches.flat());
  const kept = concerning.filter((row) => !delivered.has(row));
  const keptIds = new Set(kept.map(({ id }) => id));
  const done = ready.map(({ id }) => id).filter((id) => !keptIds.has(id));
  if (done.length > 0) await deleteDelayed(organization, done);
  const waiting = kept.filter(({ nextAt }) => nextAt <= nowMs).map(({ id }) => id);
  if (waiting.length > 0) await postponeUntilDue(organization, waiting);
  return true;
}

/** Returns the notifications that still concern their recipients, and no user whose data is being deleted. */
async function findConcerning(scope: OrganizationScope, ready: DelayedRow[]): Promise<Concerning[]> {
  const found = await selectConcerning(
    scope,
    ready.map(({ id }) => id),
  );
  const factsById = new Map(found.map((facts) => [facts.id, facts]));
  const deletions = await selectUsersBeingDeleted(
    scope,
    ready.map(({ id }) => id),
  );
  return ready.flatMap((row) => {
    const facts = factsById.get(row.id);
    if (!facts) return [];
    const text = JSON.stringify([row.userId]) + row.record + facts.comment;
    const isDeleted = deletions.some(
      ({ userIds, delayedIds }) =>
        delayedIds.includes(row.id) && userIds.some((userId) => text.includes(JSON.stringify(userId))),
    );
    return isDeleted ? [] : [{ ...row, ...facts }];
  });
}

/** Returns the triggers of each digest. One that is alone in the digests of several recipients has all of them. */
function groupTriggers(batches: Concerning[][]): CommentTrigger[][] {
  const isOfOneEvent = (batch: Concerning[]) => batch.every(({ eventId }) => eventId === batch[0]?.eventId);
  const single = batches.filter(isOfOneEvent).flat();
  const events = [...Map.groupBy(single, ({ eventId }) => eventId).values()];
  const digests = batches.filter((batch) => !isOfOneEvent(batch));
  return [...events.map(toTriggers), ...digests.map((batch) => batch.map((row) => toTrigger(row)))];
}

/** Returns the triggers of one event, such as the changes of an update, each with all of its recipients. */
function toTriggers(rows: Concerning[]): CommentTrigger[] {
  const byKind = Map.groupBy(rows, ({ record }) => getActionType(record));
  return [...byKind.values()].flatMap(([row, ...others]) => (row ? [toTrigger(row, ...others)] : []));
}

function getActionType(record: string): CommentTrigger["actionType"] {
  const { actionType }: DelayedRecord = JSON.parse(record);
  return actionType;
}

/** Returns the trigger of rows that differ in their recipients only. */
function toTrigger(row: Concerning, ...others: Concerning[]): CommentTrigger {
  const { recipient: _, ...trigger }: DelayedRecord = JSON.parse(row.record);
  const comment = row.comment === null ? undefined : readComment(row.comment);
  const recipients = [row, ...others].map(({ userId, record }) => {
    const { recipient }: DelayedRecord = JSON.parse(record);
    return { userId, ...recipient };
  });
  return {
    ...trigger,
    documentId: row.documentId,
    annotationId: row.annotationId,
    annotationSequence: row.annotationSequence,
    commentId: row.commentId ?? undefined,
    updateId: row.eventId,
    commentText: comment && getCommentText(comment),
    ...(row.restricted !== null && getRestrictions(row.restricted)),
    concerned: recipients.filter(({ isConcerned }) => isConcerned),
    participants: recipients.filter(({ isConcerned }) => !isConcerned).map(({ userId }) => userId),
    tagged: comment && taggedUsers(comment),
  };
}

/** Returns who may see the annotation of a trigger, as of the delivery. */
function getRestrictions(record: string): Pick<CommentTrigger, "access" | "visibilityConfig"> {
  const { context, visibilityConfig } = readAnnotation(record);
  return { access: getAccess(context), visibilityConfig };
}
