import type { Queryable } from "../../database/statement.ts";
import { parseRecord, withTexts } from "../../json/record-texts.ts";
import { annotationColumns, type StoredAnnotation, toAnnotation } from "../comments/annotations/annotation.ts";
import { replaceAnnotations } from "../comments/annotations/annotation-queries.ts";
import { deleteAnnotations } from "../comments/annotations/deletion/annotation-deletion-queries.ts";
import { recordDeletions } from "../comments/annotations/deletion/record-deletions.ts";
import { eachLockedChunk } from "../comments/annotations/matching.ts";
import { refuseLargeAnnotation } from "../comments/comments/new-comments.ts";
import { annotationEvent } from "../comments/event-log.ts";
import { deleteHeld } from "../comments/held/held-notification-queries.ts";
import { type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { applyChanges, changesOf } from "../notifications/changes.ts";
import { readInboxes, recordInboxEvents } from "../notifications/event-log.ts";
import { selectNotificationIds } from "../notifications/inbox-queries.ts";
import { lockedChunks } from "../notifications/locked-chunks.ts";
import { deleteNotificationRows, lockNotifications } from "../notifications/notification-queries.ts";
import { lockHeldOf, replaceHeldRecords } from "./location-queries.ts";

export interface Place {
  workspace: ListenedWorkspace;
  organizationKey: string;
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
  move(transaction: Queryable, place: Place, relocate: Relocate): Promise<void>;
  /** Deletes all records of the place. */
  delete(transaction: Queryable, place: Place): Promise<void>;
}

/** Number of notifications whose records are changed at the same time. */
const CHUNK_NOTIFICATIONS = 500;

const annotations: LocatedRecords = {
  tables: ["comment_annotations"],
  async move(transaction, { workspace, organizationKey, documentId, locationId }, relocate) {
    await eachLockedChunk(transaction, organizationKey, { documentId, locationIds: [locationId] }, async (locked) => {
      await recordEvents(transaction, workspace, () =>
        locked.map(({ id: annotationId }) =>
          annotationEvent({ organizationKey, documentId, annotationId }, "comment_annotation.update"),
        ),
      );
      const moved = [];
      for (const { id, record } of locked) {
        const annotation = toAnnotation(parseRecord(record));
        moved.push({ id, ...annotationColumns({ ...annotation, location: relocate(annotation.location) }) });
      }
      refuseLargeAnnotation(await replaceAnnotations(transaction, organizationKey, await withTexts(moved)));
    });
  },
  async delete(transaction, { workspace, organizationKey, documentId, locationId }) {
    await eachLockedChunk(transaction, organizationKey, { documentId, locationIds: [locationId] }, async (locked) => {
      await recordDeletions(transaction, workspace, { organizationKey, documentId }, locked);
      const sequences = locked.map(({ sequence }) => sequence);
      return deleteAnnotations(transaction, organizationKey, sequences);
    });
  },
};

const notifications: LocatedRecords = {
  tables: ["notification_recipients", "notifications"],
  async move(transaction, { workspace, organizationKey, documentId, locationId }, relocate) {
    for await (const sequences of lockedChunks(transaction, organizationKey, { documentId, locationId })) {
      for (let first = 0; first < sequences.length; first += CHUNK_NOTIFICATIONS) {
        const part = sequences.slice(first, first + CHUNK_NOTIFICATIONS);
        const notificationIds = await selectNotificationIds(transaction, organizationKey, part);
        const locked = await lockNotifications(transaction, organizationKey, { documentId, notificationIds });
        const updates = [];
        for (const [id, { record }] of locked) {
          const { location }: { location?: Location | null } = parseRecord(record);
          updates.push({ id, location: relocate(location ?? undefined) });
        }
        const changes = await changesOf(updates, locked);
        const change = { organizationKey, match: { ids: notificationIds }, changedIds: new Set(notificationIds) };
        const before = await readInboxes(transaction, workspace, change);
        await applyChanges(transaction, organizationKey, locked, changes);
        await recordInboxEvents(transaction, workspace, change, before);
      }
    }
  },
  async delete(transaction, { workspace, organizationKey, documentId, locationId }) {
    for await (const sequences of lockedChunks(transaction, organizationKey, { documentId, locationId })) {
      const change = { organizationKey, match: { sequences } };
      const before = await readInboxes(transaction, workspace, change);
      await deleteNotificationRows(transaction, organizationKey, sequences);
      await recordInboxEvents(transaction, workspace, change, before);
    }
  },
};

/** Notifications that wait for their delivery. Their records have the id of the location. */
const heldNotifications: LocatedRecords = {
  tables: [],
  async move(transaction, place, relocate) {
    for await (const held of heldAt(transaction, place)) {
      const moved = held.map(({ id, record }) => ({ id, record: { ...record, locationId: relocate(undefined).id } }));
      await replaceHeldRecords(transaction, place.organizationKey, await withTexts(moved));
    }
  },
  async delete(transaction, place) {
    for await (const held of heldAt(transaction, place)) {
      const ids = held.map(({ id }) => id);
      await deleteHeld(transaction, place.organizationKey, ids);
    }
  },
};

/** Locks the held notifications of the place in chunks, and yields each chunk. */
async function* heldAt(transaction: Queryable, place: Place) {
  let after: string | undefined;
  do {
    const { rows, next } = await lockHeldOf(transaction, place, after);
    const found: { id: string; record: { locationId?: string } }[] = [];
    for (const { id, text } of rows) found.push({ id, record: parseRecord(text) });
    const located = found.filter(({ record }) => record.locationId === place.locationId);
    if (located.length > 0) yield located;
    after = next;
  } while (after !== undefined);
}

/** Every kind of record that can have a location. */
export const LOCATED_RECORDS: readonly LocatedRecords[] = [annotations, notifications, heldNotifications];
