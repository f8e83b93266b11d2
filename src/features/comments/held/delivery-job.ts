import { accessOf } from "../../../contract/access-context.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { Queryable } from "../../../database/statement.ts";
import type { Job, JobQueue } from "../../../jobs/jobs.ts";
import { DELIVER_HELD_NOTIFICATIONS } from "../../tenancy/deliver-held-notifications.ts";
import { findCallingWorkspace } from "../../workspaces/queries.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { readComment, taggedUsers } from "../comments/comment.ts";
import { deliver } from "../events/deliver.ts";
import type { Announcement, CommentEvent } from "../events/event.ts";
import { batchesOf } from "./batches.ts";
import type { HeldRecord } from "./held-record.ts";
import {
  deleteHeld,
  type HeldFacts,
  type HeldRow,
  lockReady,
  selectConcerning,
  selectHoldingOrganization,
  selectUsersBeingDeleted,
  waitUntilDue,
} from "./queries.ts";

/** A held notification that still concerns its recipient. */
type Concerning = HeldRow & Omit<HeldFacts, "id">;

/**
 * Creates the job that delivers what is ready in an organization, a bounded number in each transaction. The rows are
 * deleted by the transaction that delivers them, so that a killed job delivers nothing twice and loses nothing.
 */
export function createDeliverHeldNotifications(jobs: JobQueue): Job<typeof DELIVER_HELD_NOTIFICATIONS.payload> {
  return {
    ...DELIVER_HELD_NOTIFICATIONS,
    async run({ database, signal }, { organizationKey }) {
      let isMore = true;
      while (isMore) {
        signal.throwIfAborted();
        isMore = await database.transaction((transaction) => deliverNext(transaction, jobs, organizationKey));
      }
    },
  };
}

/** Returns whether there may be more. What a disabled organization holds waits until it is enabled. */
async function deliverNext(transaction: Queryable, jobs: JobQueue, organizationKey: string): Promise<boolean> {
  const organization = await selectHoldingOrganization(transaction, organizationKey);
  if (!organization || organization.block) return false;
  const { nowMs, organizationId } = organization;
  const ready = await lockReady(transaction, organizationKey, nowMs);
  if (ready.length === 0) return false;
  const workspace = await findCallingWorkspace(transaction, organization.workspaceId);
  if (!workspace) return false;
  const concerning = await findConcerning(transaction, organizationKey, organization, ready);
  const batches = batchesOf(concerning, nowMs);
  const plain = batches.flatMap((batch) => (batch.length === 1 ? batch : []));
  const events = [...Map.groupBy(plain, ({ eventId }) => eventId).values()];
  const place = { workspace, organizationId };
  await deliver(
    transaction,
    jobs,
    events.map((rows) => announcementOf(place, [rows])),
    batches
      .filter(({ length }) => length > 1)
      .map((batch) =>
        announcementOf(
          place,
          batch.map((row) => [row]),
        ),
      ),
  );
  const delivered = new Set(batches.flat());
  const kept = concerning.filter((row) => !delivered.has(row));
  const keptIds = new Set(kept.map(({ id }) => id));
  const done = ready.map(({ id }) => id).filter((id) => !keptIds.has(id));
  if (done.length > 0) await deleteHeld(transaction, organizationKey, done);
  const waiting = kept.filter(({ nextAt }) => nextAt <= nowMs).map(({ id }) => id);
  if (waiting.length > 0) await waitUntilDue(transaction, organizationKey, waiting);
  return true;
}

/** Returns the notifications that still concern their recipients, and no user whose data is being deleted. */
async function findConcerning(
  transaction: Queryable,
  organizationKey: string,
  organization: { workspaceId: string; organizationId: string },
  ready: HeldRow[],
): Promise<Concerning[]> {
  const found = await selectConcerning(
    transaction,
    organizationKey,
    ready.map(({ id }) => id),
  );
  const factsOf = new Map(found.map((facts) => [facts.id, facts]));
  const deletions = await selectUsersBeingDeleted(transaction, organization);
  return ready.flatMap((row) => {
    const facts = factsOf.get(row.id);
    if (!facts) return [];
    const text = JSON.stringify([row.userId]) + row.record + facts.comment;
    const isDeleted = deletions.some(
      ({ userIds, acceptedAt }) =>
        row.heldAt <= acceptedAt && userIds.some((userId) => text.includes(JSON.stringify(userId))),
    );
    return isDeleted ? [] : [{ ...row, ...facts }];
  });
}

/** Returns the announcement of events in one document. The rows of an event differ in their recipients only. */
function announcementOf(
  { workspace, organizationId }: { workspace: Workspace; organizationId: string },
  events: Concerning[][],
): Announcement {
  const documentId = events[0]?.[0]?.documentId ?? "";
  return { workspace, organizationId, documentId, events: events.flatMap(eventOf) };
}

function eventOf(rows: Concerning[]): CommentEvent[] {
  const [row] = rows;
  if (!row) return [];
  const { recipient: _, ...event }: HeldRecord = JSON.parse(row.record);
  const comment = row.comment === null ? undefined : readComment(row.comment);
  const recipients = rows.map(({ userId, record }) => {
    const { recipient }: HeldRecord = JSON.parse(record);
    return { userId, ...recipient };
  });
  return [
    {
      ...event,
      annotationId: row.annotationId,
      commentId: row.commentId ?? undefined,
      commentText: comment?.commentText,
      ...(row.restricted !== null && restrictionsOf(row.restricted)),
      concerned: recipients.filter(({ isConcerned }) => isConcerned),
      participants: recipients.filter(({ isConcerned }) => !isConcerned).map(({ userId }) => userId),
      tagged: comment && taggedUsers(comment),
    },
  ];
}

/** Returns who may see the annotation of an event, as of the delivery. */
function restrictionsOf(record: string): Pick<CommentEvent, "access" | "visibilityConfig"> {
  const { context, visibilityConfig } = readAnnotation(record);
  return { access: accessOf(context), visibilityConfig };
}
