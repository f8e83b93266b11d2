import type { Workspace } from "../../contract/operation.ts";
import { parseRecord, splitIntoParts, withTexts } from "../../json/record-texts.ts";
import { annotationColumns, type StoredAnnotation, toAnnotation } from "../comments/annotations/annotation.ts";
import { replaceAnnotations } from "../comments/annotations/annotation-queries.ts";
import { deleteAnnotations } from "../comments/annotations/deletion/annotation-deletion-queries.ts";
import { recordDeletions } from "../comments/annotations/deletion/record-deletions.ts";
import { eachLockedChunk } from "../comments/annotations/matching.ts";
import { rejectLargeAnnotation } from "../comments/comments/new-comments.ts";
import { deleteDelayed } from "../comments/delayed/delayed-notification-queries.ts";
import { buildAnnotationEvent } from "../comments/event-log.ts";
import { withdrawNotifications } from "../comments/triggers/follow-changes.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { applyChanges, getChanges } from "../notifications/changes.ts";
import { readInboxes, recordInboxEvents } from "../notifications/event-log.ts";
import { selectNotificationIds } from "../notifications/inbox-queries.ts";
import { lockedChunks } from "../notifications/locked-chunks.ts";
import { deleteNotificationRows, lockNotifications } from "../notifications/notification-queries.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { lockDelayed, replaceDelayedRecords } from "./location-queries.ts";

export interface Place {
  documentId: string;
  locationId: string;
}

type Location = NonNullable<StoredAnnotation["location"]>;

/** Returns the new location of a record, given the one that it has. Records that name only its id have none. */
type Relocate = (before: Location | undefined) => Location;

interface LocatedRecords {
  /** Tables whose column `location_id` the functions change or delete the rows of. */
  tables: readonly string[];
  /** Gives all records of the place another location. */
  move(scope: InTransaction<OrganizationScope<Workspace>>, place: Place, relocate: Relocate): Promise<void>;
  /** Deletes all records of the place. */
  delete(scope: InTransaction<OrganizationScope<Workspace>>, place: Place): Promise<void>;
}

/** Number of notifications whose records are changed at the same time. */
const CHUNK_NOTIFICATIONS = 500;

const annotations: LocatedRecords = {
  tables: ["comment_annotations"],
  async move(scope, { documentId, locationId }, relocate) {
    await eachLockedChunk(scope, { documentId, locationIds: [locationId] }, async (locked) => {
      await recordEvents(
        scope,
        locked.map(({ id: annotationId }) =>
          buildAnnotationEvent({ documentId, annotationId }, "comment_annotation.update"),
        ),
      );
      const moved = [];
      for (const { id, record } of locked) {
        const annotation = toAnnotation(parseRecord(record));
        moved.push({ id, ...annotationColumns({ ...annotation, location: relocate(annotation.location) }) });
      }
      rejectLargeAnnotation(await replaceAnnotations(scope, withTexts(moved)));
    });
  },
  async delete(scope, { documentId, locationId }) {
    await eachLockedChunk(scope, { documentId, locationIds: [locationId] }, async (locked) => {
      await recordDeletions(scope, documentId, locked);
      const sequences = locked.map(({ sequence }) => sequence);
      await deleteAnnotations(scope, sequences);
      await withdrawNotifications(
        scope,
        documentId,
        locked.map(({ id, sequence }) => ({ annotationId: id, sequence })),
      );
    });
  },
};

const notifications: LocatedRecords = {
  tables: ["notification_recipients", "notifications"],
  async move(scope, { documentId, locationId }, relocate) {
    for await (const sequences of lockedChunks(scope, { documentId, locationId })) {
      for (const part of splitIntoParts(sequences, () => 1, CHUNK_NOTIFICATIONS)) {
        const notificationIds = await selectNotificationIds(scope, part);
        const locked = await lockNotifications(scope, { documentId, notificationIds });
        const updates = [];
        for (const [id, { record }] of locked) {
          const { location }: { location?: Location | null } = parseRecord(record);
          updates.push({ id, location: relocate(location ?? undefined) });
        }
        const change = { match: { ids: notificationIds }, changedIds: new Set(notificationIds) };
        const before = await readInboxes(scope, change);
        for (const some of splitIntoParts(updates, ({ id }) => locked.get(id)?.record.length ?? 0)) {
          await applyChanges(scope, locked, getChanges(some, locked));
        }
        await recordInboxEvents(scope, change, before);
      }
    }
  },
  async delete(scope, { documentId, locationId }) {
    for await (const sequences of lockedChunks(scope, { documentId, locationId })) {
      const change = { match: { sequences } };
      const before = await readInboxes(scope, change);
      await deleteNotificationRows(scope, sequences);
      await recordInboxEvents(scope, change, before);
    }
  },
};

/** Notifications that wait for their delivery. Their records have the id of the location. */
const delayedNotifications: LocatedRecords = {
  tables: [],
  async move(scope, place, relocate) {
    for await (const delayed of lockDelayedAt(scope, place)) {
      const moved = delayed.map(({ id, record }) => ({
        id,
        record: { ...record, locationId: relocate(undefined).id },
      }));
      await replaceDelayedRecords(scope, withTexts(moved));
    }
  },
  async delete(scope, place) {
    for await (const delayed of lockDelayedAt(scope, place)) {
      const ids = delayed.map(({ id }) => id);
      await deleteDelayed(scope, ids);
    }
  },
};

/** Locks the delayed notifications of the place in chunks, and yields each chunk. */
async function* lockDelayedAt(scope: InTransaction<OrganizationScope<Workspace>>, place: Place) {
  let after: string | undefined;
  do {
    const { rows, next } = await lockDelayed(scope, place.documentId, after);
    const found: { id: string; record: { locationId?: string } }[] = [];
    for (const { id, text } of rows) found.push({ id, record: parseRecord(text) });
    const located = found.filter(({ record }) => record.locationId === place.locationId);
    if (located.length > 0) yield located;
    after = next;
  } while (after !== undefined);
}

/** Every kind of record that can have a location. */
export const LOCATED_RECORDS: readonly LocatedRecords[] = [annotations, notifications, delayedNotifications];
