import { bigint, bigints, EMPTY, integer, sql, texts, unprepared, uuid } from "../../database/sql.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type NotificationSubject, toSubjectText } from "./notification-subject.ts";

/** Number of notifications that are locked and changed at the same time. */
const CHUNK_NOTIFICATIONS = 500;

/** A locked notification of comments. */
export interface NotificationAbout {
  id: string;
  createdAt: number;
  sequence: number;
  /** JSON text. */
  record: string;
}

/** Locks the notifications about the subjects in chunks, oldest first. An annotation stands for all its comments. */
export async function* lockNotificationsAbout(
  scope: InTransaction<StoredOrganization>,
  subjects: readonly NotificationSubject[],
): AsyncGenerator<NotificationAbout[]> {
  if (subjects.length === 0) return;
  let locked: NotificationAbout[] = [];
  do {
    locked = await lockNext(scope, subjects, locked.at(-1));
    if (locked.length > 0) yield locked;
  } while (locked.length === CHUNK_NOTIFICATIONS);
}

function lockNext(
  scope: InTransaction<StoredOrganization>,
  subjects: readonly NotificationSubject[],
  after: NotificationAbout | undefined,
): Promise<NotificationAbout[]> {
  const isAfter = after
    ? sql`and (created_at, sequence) > (${bigint(after.createdAt)}, ${bigint(after.sequence)})`
    : EMPTY;
  return scope.run(
    unprepared(
      sql<NotificationAbout>`select id, created_at as "createdAt", sequence, record::text as record from notifications
        where organization_key = ${uuid(scope.key)} and subjects && ${texts(subjects.map(toSubjectText))} ${isAfter}
        order by created_at, sequence limit ${integer(CHUNK_NOTIFICATIONS)} for update`,
    ),
  );
}

/** Replaces the records of locked notifications. */
export async function replaceRecordsAbout(
  scope: InTransaction<StoredOrganization>,
  notifications: { sequence: number; record: string }[],
): Promise<void> {
  if (notifications.length === 0) return;
  await scope.run(
    sql`update notifications set record = changed.record::json, record_bytes = octet_length(changed.record)
      from unnest(
        ${bigints(notifications.map(({ sequence }) => sequence))},
        ${texts(notifications.map(({ record }) => record))}
      ) as changed (sequence, record)
      where notifications.organization_key = ${uuid(scope.key)} and notifications.sequence = changed.sequence`,
  );
}
