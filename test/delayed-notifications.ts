import { randomUUID } from "node:crypto";
import type { Database } from "../src/database/database.ts";
import type { OrganizationKey } from "../src/database/keys.ts";
import { insertDelayed } from "../src/features/comments/delayed/delayed-notification-queries.ts";
import { createDeliverDelayedNotifications } from "../src/features/comments/delayed/delivery-job.ts";
import { SEND_MAIL } from "../src/features/mails/send-mail.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../src/features/tenancy/deliver-delayed-notifications.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { storedOrganization } from "../src/features/tenancy/organization-scope.ts";
import { openJobs } from "../src/jobs/jobs.ts";
import type { Api } from "../src/operations.ts";
import { registerCleanup } from "./cleanup.ts";
import { addAnnotations, addComments } from "./comments.ts";
import { SCOPE } from "./factories.ts";
import { silentLog, type TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

const UPDATE = "/v2/workspace/notificationconfig/update";
type ServiceConfig = NonNullable<Api[typeof UPDATE]["request"]["notificationServiceConfig"]>;

export const DELAY = { delayConfig: { isEnabled: true, delaySeconds: 600 } };

/** Configures the workspace to delay notifications. */
export function delayNotifications(workspace: TestWorkspace, notificationServiceConfig: ServiceConfig) {
  return workspace.data(UPDATE, { notificationServiceConfig });
}

/** The columns of times, and the keys by which the service locks rows, of the tables in the order in which it does. */
const TIMES = [
  { table: "comment_annotations", columns: ["written_at"], keys: "created_at, sequence" },
  { table: "comment_reads", columns: ["read_at"], keys: "annotation_sequence, user_id" },
  { table: "delayed_notifications", columns: ["delayed_at", "ready_at", "due_at", "next_at"], keys: "id" },
];

/**
 * Moves delayed notifications and comments of an organization into the past, by this many seconds, all at once: a
 * worker of the service that delivers meanwhile would find annotations read after events that are already in the past.
 */
export async function letPass(
  database: Database,
  workspace: TestWorkspace,
  seconds: number,
  organizationId = SCOPE.organizationId,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const key = organizationKey(workspace.id, organizationId);
    for (const { table, columns, keys } of TIMES) {
      await runSql(transaction, `select 1 from ${table} where organization_key = $1 order by ${keys} for update`, [
        key,
      ]);
      const changes = columns.map((column) => `${column} = ${column} - $2`).join(", ");
      await runSql(transaction, `update ${table} set ${changes} where organization_key = $1`, [key, seconds * 1000]);
    }
  });
}

/** Inserts a notification of an annotation that does not exist, which is delayed for an hour. */
export async function insertDelayedNotification(
  database: Database,
  organizationKey: OrganizationKey,
  documentId: string = SCOPE.documentId,
): Promise<void> {
  await insertDelayed(storedOrganization(database, organizationKey), [
    {
      ...{ id: randomUUID(), eventId: randomUUID(), userId: "ada", documentId },
      ...{ annotationId: "unknown", commentId: null, record: "{}", delayMs: 3_600_000, windowMs: 0 },
      ...{ isUserDue: false, documentMax: null, userMax: null },
    },
  ]);
}

/** Counts the delayed notifications of the organization. */
export async function countDelayedRows(database: Database, workspace: TestWorkspace): Promise<number> {
  const rows = await runSql(database, "select 1 from delayed_notifications where organization_key = $1", [
    getKey(workspace),
  ]);
  return rows.length;
}

/** Returns a function that runs the delivery job once, as a worker of a process does. */
export async function createDelivery(database: Database): Promise<(workspace: TestWorkspace) => Promise<void>> {
  const jobs = await openJobs({ database, definitions: [DELIVER_DELAYED_NOTIFICATIONS, SEND_MAIL], log: silentLog });
  registerCleanup(() => jobs.stop());
  const { run } = createDeliverDelayedNotifications(jobs);
  const signal = new AbortController().signal;
  return (workspace) => run({ database, log: silentLog, signal }, { organizationKey: getKey(workspace) });
}

function getKey(workspace: TestWorkspace): OrganizationKey {
  return organizationKey(workspace.id, SCOPE.organizationId);
}

/** Returns the database, and a function that counts the statements of its transactions. */
export function countingStatements(database: Database): { database: Database; count: () => number } {
  let statements = 0;
  const counting: Database = Object.create(database, {
    transaction: {
      value: (work: Parameters<Database["transaction"]>[0]) =>
        database.transaction((transaction) => {
          const run: typeof transaction.run = (statement) => {
            statements++;
            return transaction.run(statement);
          };
          return work(Object.create(transaction, { run: { value: run } }));
        }),
    },
  });
  return { database: counting, count: () => statements };
}

/** Adds an annotation of ada's to a workspace that then delays notifications. */
export async function workspaceWithDelays(workspace: TestWorkspace): Promise<TestWorkspace> {
  await addAnnotations(workspace, ["a"]);
  await delayNotifications(workspace, DELAY);
  return workspace;
}

/** Adds replies of users, one after the other. */
export async function reply(workspace: TestWorkspace, userIds: string[], taggedUserIds: string[] = []): Promise<void> {
  const taggedUserContacts = taggedUserIds.map((userId) => ({ userId, text: `@${userId}` }));
  const commentData = userIds.map((userId, index) => ({
    ...{ from: { userId }, commentText: `${userId} ${index}`, taggedUserContacts, triggerNotification: true },
  }));
  await addComments(workspace, commentData);
}

/** Returns the texts of a user's notifications, oldest first. */
export async function textsIn(workspace: TestWorkspace, userId = "ada"): Promise<unknown[]> {
  const { organizationId } = SCOPE;
  const list = await workspace.data("/v2/notifications/get", { organizationId, userId, order: "asc" });
  return list.map(({ displayBodyMessage }) => displayBodyMessage);
}
