import { bigint, boolean, identifier, sql, text, texts, uuid } from "../../database/sql.ts";
import type { AccessOrganization } from "../access/access-queries.ts";
import { matchesUser, ORGANIZATION } from "../access/effective-grant-queries.ts";
import { isInReadableDocument } from "../access/record-document-queries.ts";
import { NO_DOCUMENT, type Preference } from "../notifications/config/notification-config.ts";
import {
  buildEffectiveLevel,
  buildEffectivePreference,
  type DeliveredChannel,
  isLetThrough,
  ORGANIZATION_LEVEL,
  type PreferenceLevel,
} from "../notifications/config/notification-config-queries.ts";
import { isSeenByRecipient } from "../notifications/notification-access-queries.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";

/** User and notification to explain. */
export interface Subject {
  userId: string;
  notificationId: string;
}

/** What is stored about a notification and a user. Times are in milliseconds since the epoch. */
export interface DeliveryFacts {
  documentId: string;
  actionUserId: string;
  writtenAt: number;
  /** Null if an earlier version wrote the notification. */
  notifyAll: boolean | null;
  /** JSON text. */
  record: string;
  /** Whether the notification reached the user's inbox. */
  isRecipient: boolean;
  isInInbox: boolean | null;
  /** Whether permissions and visibility let the user see a notification that is in the inbox. */
  isSeen: boolean | null;
  readAt: number | null;
  archivedAt: number | null;
  /** Whether a permission lets the user read the document. */
  canReadDocument: boolean;
  isInOrganization: boolean;
  block: AccessBlock | null;
}

/** Returns what is stored; undefined without such a notification. */
export async function selectFacts(
  scope: AccessOrganization,
  { userId, notificationId }: Subject,
): Promise<DeliveryFacts | undefined> {
  const access = { organization: scope, user: { userId, grants: [] } };
  const [facts] = await scope.run(
    sql<DeliveryFacts>`select notification.document_id as "documentId", notification.user_id as "actionUserId",
        coalesce(notification.written_at, notification.created_at) as "writtenAt",
        notification.notify_all as "notifyAll",
        notification.record::text as record, recipient.user_id is not null as "isRecipient",
        recipient.in_inbox as "isInInbox", ${isSeenByRecipient(access)} as "isSeen",
        recipient.read_at as "readAt", recipient.archived_at as "archivedAt",
        ${isInReadableDocument(access, sql`notification.document_id`)} as "canReadDocument",
        exists (select from users where users.organization_key = ${uuid(scope.key)}
          and users.user_id = ${text(userId)}
          and ${matchesUser(uuid(scope.key), ORGANIZATION, sql`users`)}) as "isInOrganization",
        ${buildAccessBlock(scope.key, sql`notification.document_id`)} as block
      from notifications notification
      left join notification_recipients recipient on recipient.organization_key = notification.organization_key
        and recipient.sequence = notification.sequence and recipient.user_id = ${text(userId)}
      where notification.organization_key = ${uuid(scope.key)} and notification.id = ${text(notificationId)}`,
  );
  return facts;
}

/** The effective preference, and what it decides. */
export interface Decision {
  preference: Preference;
  level: PreferenceLevel;
  isLetThrough: boolean;
  /** Time of the last change at that level, in milliseconds since the epoch. Null by default. */
  setAt: number | null;
  /** Time at which the user unsubscribed, if that set the preference. */
  unsubscribedAt: number | null;
}

/** Returns what the effective preference decides about an event in a document that concerns the user, or does not. */
export async function selectDecision(
  scope: StoredOrganization,
  channel: DeliveredChannel,
  userId: string,
  event: { documentId: string; concernsUser: boolean },
): Promise<Decision> {
  const input = { row: "input", organization: uuid(scope.key) };
  const concernsUser = sql`${boolean(event.concernsUser)}`;
  const [decision] = await scope.run(
    sql<Decision>`select preference, level, is_let_through as "isLetThrough", config.written_at as "setAt",
        config.unsubscribed_at as "unsubscribedAt"
      from (
        select input.*, ${buildEffectivePreference(channel, input)} as preference,
          ${buildEffectiveLevel(channel, input)} as level,
          ${isLetThrough(channel, input, concernsUser)} as is_let_through
        from (
          select ${text(event.documentId)} as document_id, ${text(userId)} as user_id
        ) as input
      ) as decision
      left join notification_configs config on config.organization_key = ${uuid(scope.key)}
        and config.user_id = decision.user_id and config.${identifier(channel)} is not null
        and config.document_id = case level when 'document' then decision.document_id else ${ORGANIZATION_LEVEL} end`,
  );
  if (!decision) throw new Error("a preference was not decided");
  return decision;
}

/** Returns the JSON texts of an annotation and, if it exists, of one of its comments. */
export async function selectAnnotation(
  scope: StoredOrganization,
  { annotationId, commentId }: { annotationId: string; commentId: number | undefined },
): Promise<{ annotation: string; comment: string | null } | undefined> {
  const [row] = await scope.run(
    sql<{ annotation: string; comment: string | null }>`select annotation.record::text as annotation,
        comment.record::text as comment
      from comment_annotations annotation
      left join comments comment on comment.organization_key = annotation.organization_key
        and comment.annotation_sequence = annotation.sequence and comment.id = ${bigint(commentId ?? null)}
      where annotation.organization_key = ${uuid(scope.key)} and annotation.id = ${text(annotationId)}`,
  );
  return row;
}

interface SetPreferences {
  /** Missing for the preference for the organization. */
  documentId?: string;
  inbox?: Preference;
  email?: Preference;
  slack?: Preference;
}

/** Returns the preferences that users have set for the organization, then those for the document of a notification. */
export async function selectSetPreferences(
  scope: StoredOrganization,
  { notificationId, userIds }: { notificationId: string; userIds: string[] },
): Promise<Map<string, SetPreferences[]>> {
  const key = uuid(scope.key);
  const rows = await scope.run(
    sql<{ userId: string; documentId: string } & { [Channel in "inbox" | "email" | "slack"]: Preference | null }>`
      select user_id as "userId", document_id as "documentId", inbox, email, slack from notification_configs
      where organization_key = ${key} and user_id = any(${texts(userIds)}) and (
        document_id = ${ORGANIZATION_LEVEL} or document_id = (
          select document_id from notifications where organization_key = ${key} and id = ${text(notificationId)}
        )
      ) order by document_id`,
  );
  const byUser = new Map<string, SetPreferences[]>();
  for (const { userId, documentId, inbox, email, slack } of rows) {
    const preferences = {
      ...(documentId !== NO_DOCUMENT && { documentId }),
      ...(inbox && { inbox }),
      ...(email && { email }),
      ...(slack && { slack }),
    };
    byUser.set(userId, [...(byUser.get(userId) ?? []), preferences]);
  }
  return byUser;
}
