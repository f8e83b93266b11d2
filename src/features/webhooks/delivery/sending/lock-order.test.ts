import { expect, test } from "vitest";
import { createTestDatabase } from "../../../../../test/harness.ts";
import { untilWaiting } from "../../../../../test/lock-waits.ts";
import { runSql } from "../../../../../test/run-sql.ts";
import { toOrganizationKey } from "../../../../database/keys.ts";
import type { Transaction } from "../../../../database/statement.ts";
import { moveNextRows } from "../../../documents/migration/migrated-row-queries.ts";
import { DOCUMENT_TABLES } from "../../../purge/purge-queries.ts";
import { acrossOrganizations, storedOrganization } from "../../../tenancy/organization-scope.ts";
import { sendFailedAgain } from "../../deliveries/webhook-delivery-queries.ts";
import { cancelMessages } from "./webhook-message-queries.ts";

const KEY = toOrganizationKey("1".repeat(32));
const DOCUMENT = { migrationId: "m", documentId: "old", newDocumentId: "new" };
const { database } = await createTestDatabase({ connections: 4 });

/** Writes three failed messages to a target, whose order by time of creation and by next attempt differ. */
async function addMessages(target: string): Promise<void> {
  await runSql(
    database,
    `insert into webhook_messages (organization_key, id, workspace_id, target, document_id, position, event, created_at,
       next_at, status, failures, attempts)
     select $2::text::uuid, gen_random_uuid(), gen_random_uuid(), $1, 'old', number, '{}', number, 10 - number,
       'pending', 1, '[]'
     from generate_series(1, 3) as number`,
    [target, KEY],
  );
}

/** Runs the work in a transaction whose statements read by index, as they do in a large table. */
function inLargeTable(work: (transaction: Transaction) => Promise<unknown>): Promise<unknown> {
  return database.transaction(async (transaction) => {
    await runSql(transaction, "set local enable_seqscan = off");
    await runSql(transaction, "set local enable_bitmapscan = off");
    return work(transaction);
  });
}

/** Runs both at the same time, each of which meets the message in the middle, which is locked until both wait. */
async function runTogether(target: string, waiting: number, works: ((transaction: Transaction) => Promise<unknown>)[]) {
  const running: Promise<unknown>[] = [];
  await database.transaction(async (transaction) => {
    await runSql(
      transaction,
      "select from webhook_messages where organization_key = $2 and target = $1 and position = 2 for update",
      [target, KEY],
    );
    running.push(...works.map(inLargeTable));
    await untilWaiting(database, waiting);
  });
  await Promise.all(running);
}

test("messages that are sent again and canceled at the same time cause no deadlock", async () => {
  await addMessages("endpoint");
  await runTogether("endpoint", 2, [
    (transaction) => sendFailedAgain(acrossOrganizations(transaction), "endpoint", 0),
    (transaction) => cancelMessages(acrossOrganizations(transaction), "endpoint"),
  ]);
  const rows = await runSql(database, "select distinct next_at is null as is_canceled from webhook_messages");
  expect(rows.length).toBe(1);
});

test("messages that are canceled while their document moves cause no deadlock", async () => {
  const [table] = DOCUMENT_TABLES.filter(({ name }) => name === "webhook_messages");
  if (!table) throw new Error("the messages belong to no document");
  await addMessages("other");
  await runTogether("other", 1, [
    (transaction) => cancelMessages(acrossOrganizations(transaction), "other"),
    (transaction) => moveNextRows(storedOrganization(transaction, KEY), table, DOCUMENT),
  ]);
});
