import type { Database } from "../src/database/database.ts";
import { OWNED_TABLES } from "../src/features/purge/owned-tables.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { operations } from "../src/operations.ts";
import { deletePrivateAnnotation } from "./comments.ts";
import { insertEditing, insertUpdates } from "./crdt.ts";
import { insertDelayedNotification } from "./delayed-notifications.ts";
import type { TestWorkspace } from "./harness.ts";
import { insertUnsentMail } from "./mails.ts";
import { USERS, writeRecords } from "./organizations.ts";
import { runSql } from "./run-sql.ts";
import { insertUnsentMessage } from "./webhooks.ts";

/** Operations that write to a document. */
const inDocument = operations.filter(
  ({ path, example }) =>
    /\/(add|set|broadcast)$/.test(path) && "organizationId" in Object(example) && "documentId" in Object(example),
);

/** Its rows are soon deleted if no process has an open connection of the user. */
export const UNFILLED = "presence_connections";

/** Tables in which a document that is filled has rows. */
export const FILLED_TABLES = OWNED_TABLES.filter(({ writtenAt, name }) => writtenAt && name !== UNFILLED);

/** Writes a record of every kind that a document of the organization "acme" can have. */
export async function fillDocument(
  { database }: { database: Database },
  workspace: TestWorkspace,
  documentId: string,
): Promise<void> {
  await workspace.result("/v2/events/get", { organizationId: "acme" });
  for (const { path, example } of inDocument) {
    const request = { ...Object(example), organizationId: "acme", documentId };
    await workspace.uncheckedResult(path, uniqueIn(documentId, request));
  }
  await writeRecords(workspace, USERS, "add", ["ada"], { documentId });
  const config = { inbox: "ALL", email: "NONE" } as const;
  const configs = { organizationId: "acme", documentIds: [documentId], userIds: ["ada"], config };
  await workspace.result("/v2/notifications/config/set", configs);
  await deletePrivateAnnotation(workspace, { documentId });
  await insertUnsentMail(database, workspace, "acme", documentId);
  await insertDelayedNotification(database, organizationKey(workspace.id, "acme"), documentId);
  await insertUnsentMessage(database, workspace, "acme", documentId);
  await insertUpdates(database, organizationKey(workspace.id, "acme"));
  await insertEditing(database, organizationKey(workspace.id, "acme"));
}

/** Makes ids unique across documents, because record ids are unique in an organization. */
function uniqueIn(documentId: string, request: object): object {
  return JSON.parse(JSON.stringify(request), (name, value) =>
    ["annotationId", "notificationId"].includes(name) ? `${documentId}-${value}` : value,
  );
}

/** Counts the document's rows in each table that has any. */
export async function countDocumentRows(
  { database }: { database: Database },
  workspace: TestWorkspace,
  documentId: string,
): Promise<{ [table: string]: number }> {
  const tables = OWNED_TABLES.filter(({ writtenAt }) => writtenAt);
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as count from ${name}
    where organization_key = $1 and document_id = $2`,
  );
  const key = organizationKey(workspace.id, "acme");
  const rows = await runSql<{ name: string; count: number }>(database, counts.join(" union all "), [key, documentId]);
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}
