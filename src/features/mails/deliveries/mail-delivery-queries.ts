import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, integer, join, type Sql, sql, text, texts, uuid, uuids } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import { awaitsDocumentPurge } from "../../purge/overwriting-queries.ts";
import type { CrossTenantScope, OrganizationScope, StoredOrganization } from "../../tenancy/organization-scope.ts";

/** What becomes of a mail. Those from `sent` on are final. */
export const MAIL_STATES = ["queued", "deferred", "sent", "rejected", "uncertain", "expired", "canceled"] as const;
export type MailState = (typeof MAIL_STATES)[number];

export interface NewDelivery {
  /** ID of the mail. */
  id: string;
  documentId: string;
  /** The annotations that the mail is about. */
  annotationIds: string[];
  /** The recipient. */
  userId: string;
  address: string;
  /** Types of the events that the mail is about. */
  triggers: string[];
}

/** Adds queued mails to the log. */
export async function insertDeliveries(scope: OrganizationScope, mails: readonly NewDelivery[]): Promise<void> {
  await scope.run(
    sql`insert into mail_deliveries (organization_key, id, workspace_id, document_id, annotation_ids, user_id, address,
        triggers, state, attempts, created_at, updated_at)
      select ${uuid(scope.key)}, id, ${uuid(scope.workspace.id)}, document_id,
        array(select json_array_elements_text(annotation_ids::json)), user_id, address,
        array(select json_array_elements_text(triggers::json)), 'queued', 0, ${NOW_MS}, ${NOW_MS}
      from unnest(
        ${uuids(mails.map(({ id }) => id))},
        ${texts(mails.map(({ documentId }) => documentId))},
        ${texts(mails.map(({ annotationIds }) => JSON.stringify(annotationIds)))},
        ${texts(mails.map(({ userId }) => userId))},
        ${texts(mails.map(({ address }) => address))},
        ${texts(mails.map(({ triggers }) => JSON.stringify(triggers)))}
      ) as input (id, document_id, annotation_ids, user_id, address, triggers)`,
  );
}

export interface DeliveryChange {
  state: MailState;
  /** The earlier reason stays if this is undefined. */
  reason?: string | null | undefined;
  isAttempt?: boolean;
}

/** Returns what an update sets for a new state. */
export function stateChange({ state, reason, isAttempt = false }: DeliveryChange): Sql {
  const changes = [sql`state = ${text(state)}`, sql`updated_at = ${NOW_MS}`];
  if (reason !== undefined) changes.push(sql`reason = ${text(reason)}`);
  if (isAttempt) changes.push(sql`attempts = attempts + 1`);
  return join(changes, ", ");
}

/** Records the cancellation of mails. */
export async function recordCancellation(scope: StoredOrganization, ids: string[], reason: string): Promise<void> {
  await scope.run(
    sql`update mail_deliveries set ${stateChange({ state: "canceled", reason })}
      where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)})`,
  );
}

export interface StoredMailDelivery {
  mailId: string;
  organizationId: string;
  documentId: string;
  annotationIds: string[];
  userId: string;
  address: string;
  triggers: string[];
  state: MailState;
  reason: string | null;
  attempts: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
}

const DELIVERY = sql`id as "mailId", delivery.document_id as "documentId", annotation_ids as "annotationIds",
  user_id as "userId", address, triggers, state, reason, attempts, delivery.created_at as "createdAt",
  updated_at as "updatedAt"`;

export interface DeliveryFilters {
  organizationKey?: OrganizationKey | undefined;
  userId?: string | undefined;
  state?: MailState | undefined;
}

/** Returns the next mails of a workspace, newest first, but none of a disabled organization or a deleted document. */
export function selectMailDeliveries(
  scope: CrossTenantScope,
  workspaceId: string,
  { organizationKey, userId, state }: DeliveryFilters,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<StoredMailDelivery[]> {
  const conditions = [
    ...(organizationKey === undefined ? [] : [sql`delivery.organization_key = ${uuid(organizationKey)}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${text(userId)}`]),
    ...(state === undefined ? [] : [sql`state = ${text(state)}`]),
    ...(before === undefined ? [] : [sql`id < ${uuid(before)}`]),
    sql`delivery.workspace_id = ${uuid(workspaceId)}`,
    sql`not organizations.disabled and organizations.deleted_at is null`,
    sql`not ${awaitsDocumentPurge(sql`delivery.organization_key`, "delivery")}`,
  ];
  return scope.run(
    sql<StoredMailDelivery>`select organizations.organization_id as "organizationId", ${DELIVERY}
      from mail_deliveries delivery
      join organizations on organizations.organization_key = delivery.organization_key
      where ${join(conditions, " and ")}
      order by id desc limit ${integer(limit)}`,
  );
}

/** Maximum time between the writing of a notification and of the mail about the same event. */
const SAME_EVENT_MS = 60_000;

/** Returns the state of the mail to a user about the event of a notification that was written at `since`. */
export async function selectDeliveryAbout(
  scope: StoredOrganization,
  userId: string,
  { since, trigger, annotationIds }: { since: number; trigger: string; annotationIds: string[] },
): Promise<Pick<StoredMailDelivery, "state" | "reason" | "createdAt" | "updatedAt"> | undefined> {
  const [delivery] = await scope.run(
    sql<StoredMailDelivery>`select ${DELIVERY} from mail_deliveries delivery
      where organization_key = ${uuid(scope.key)} and user_id = ${text(userId)}
        and created_at between ${bigint(since)} and ${bigint(since + SAME_EVENT_MS)}
        and ${text(trigger)} = any(triggers) and annotation_ids && ${texts(annotationIds)}
      order by created_at limit 1`,
  );
  return delivery;
}
