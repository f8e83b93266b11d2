import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../../../test/harness.ts";
import { runSql } from "../../../../../test/run-sql.ts";
import { organizationKey } from "../../../tenancy/organization-key.ts";
import { openOrganization } from "../../../tenancy/organization-scope.ts";
import { insertMessages } from "../dispatching/webhook-dispatch-queries.ts";
import { deleteExpiredMessages } from "./expiry.ts";

const { database } = await createTestDatabase();
const DAY_MS = 24 * 60 * 60 * 1000;

/** Inserts a message of so many days ago. */
async function insert(target: string, days: number, isPending = false): Promise<string> {
  const workspaceId = randomUUID();
  const key = organizationKey(workspaceId, "acme");
  const id = randomUUID();
  const subject = { webhookId: "", endpointId: "", event: "" };
  const event = { organizationId: "acme", kind: "message.attempt.exhausted" as const, documentId: null, subject };
  await insertMessages(openOrganization(database, { id: workspaceId }, "acme"), [{ id, target, position: 1, event }]);
  await runSql(
    database,
    `update webhook_messages set created_at = created_at - $3, next_at = case when $4 then next_at end
     where organization_key = $1 and id = $2`,
    [key, id, days * DAY_MS, isPending],
  );
  return id;
}

async function getIds(target: string): Promise<string[]> {
  const rows = await runSql<{ id: string }>(
    database,
    "select id from webhook_messages where target = $1 order by created_at",
    [target],
  );
  return rows.map(({ id }) => id);
}

test("messages are kept for 7 days, and longer while attempts follow", async () => {
  const target = randomUUID();
  await insert(target, 8);
  const kept = [await insert(target, 8, true), await insert(target, 6)];
  await deleteExpiredMessages(database)(1_000);
  expect(await getIds(target)).toEqual(kept);
});

test("the newest messages of each webhook are kept, and those with attempts that follow", async () => {
  const [full, other] = [randomUUID(), randomUUID()];
  const pending = await insert(full, 5, true);
  await insert(full, 4);
  const kept = [pending, await insert(full, 3), await insert(full, 2)];
  const others = [await insert(other, 5), await insert(other, 4)];
  await deleteExpiredMessages(database, 2)(1_000);
  expect([await getIds(full), await getIds(other)]).toEqual([kept, others]);
});

test("messages are deleted however many newer ones wait for further attempts", async () => {
  const target = randomUUID();
  await insert(target, 6);
  const kept = [await insert(target, 5, true), await insert(target, 4, true), await insert(target, 3)];
  const deleteChunk = deleteExpiredMessages(database, 1);
  while ((await deleteChunk(2)) > 0);
  expect(await getIds(target)).toEqual(kept);
});
