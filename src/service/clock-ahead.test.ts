import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { setClockBack } from "../../test/clock.ts";
import { createDelivery, reply, textsIn, workspaceWithDelays } from "../../test/delayed-notifications.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { insertUnsentMail } from "../../test/mails.ts";
import { addPresence, agePresence, readUserIds } from "../../test/presence.ts";
import { runSql } from "../../test/run-sql.ts";
import { insertUnsentMessage } from "../../test/webhooks.ts";
import { deleteAbandoned, takeMail } from "../features/mails/mail-queries.ts";
import { countAttempt } from "../features/sign-in/sign-in-queries.ts";
import { organizationKey } from "../features/tenancy/organization-key.ts";
import { storedOrganization } from "../features/tenancy/organization-scope.ts";
import { deleteExpiredMessages } from "../features/webhooks/delivery/retention/expiry.ts";
import { takeLease } from "../features/webhooks/delivery/sending/webhook-message-queries.ts";

// Rows with times two hours from now were written before the clock was set back by two hours.
const HOURS_MS = 7_200_000;
const { database, ...service } = await startOwnTestService();

test("a user who was last active while the clock was ahead is not present", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada", "grace"]);
  await agePresence(database, workspace, ["ada"], -120);
  expect(await readUserIds(workspace)).toEqual(["grace"]);
});

test("a lease on a webhook that was taken while the clock was ahead does not outlast its holder", async () => {
  const target = randomUUID();
  expect(await takeLease(database, target, randomUUID())).toBe(true);
  expect(await takeLease(database, target, randomUUID())).toBe(false);
  await runSql(database, "update webhook_leases set ends_at = ends_at + $2 where target = $1", [target, HOURS_MS]);
  expect(await takeLease(database, target, randomUUID())).toBe(true);
});

test("a message to a webhook that was written while the clock was ahead becomes due", async () => {
  const workspace = await service.workspace();
  await insertUnsentMessage(database, workspace, "acme", "d");
  const key = organizationKey(workspace.id, "acme");
  const later = "update webhook_messages set next_at = next_at + $2, failures = 0 where organization_key = $1";
  await runSql(database, later, [key, HOURS_MS]);
  await deleteExpiredMessages(database)(1_000);
  const rows = await runSql<{ at: number }>(
    database,
    "select next_at as at from webhook_messages where organization_key = $1",
    [key],
  );
  expect(rows.map(({ at }) => at <= Date.now() + 1_000)).toEqual([true]);
});

test("attempts to sign in while the clock was ahead do not count", async () => {
  const attempt = { subjectHash: Buffer.from(randomUUID()), windowMs: 60_000, limit: 5 };
  await database.transaction((transaction) => countAttempt(transaction, attempt));
  await runSql(database, "update login_attempts set times = array[times[1] + interval '2 hours']");
  expect(await database.transaction((transaction) => countAttempt(transaction, attempt))).toMatchObject({ count: 1 });
});

test("a mail that was taken by a process while the clock was ahead is not held up", async () => {
  const workspace = await service.workspace();
  await insertUnsentMail(database, workspace, "acme", "d");
  const organization = storedOrganization(database, organizationKey(workspace.id, "acme"));
  const [mail] = await runSql<{ id: string }>(database, "select id from mails where workspace_id = $1", [workspace.id]);
  const id = String(mail?.id);
  expect(await takeMail(organization, id)).toBeDefined();
  const abandonment = { maxHoldMs: 60_000, outcome: { state: "uncertain", reason: null } } as const;
  expect(await deleteAbandoned(organization, id, abandonment)).toBe("taken");
  await runSql(database, "update mails set taken_at = taken_at + $1 where workspace_id = $2", [HOURS_MS, workspace.id]);
  expect(await deleteAbandoned(organization, id, abandonment)).toBe("abandoned");
});

test("a delayed notification of an annotation that was read while the clock was ahead is delivered", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  await reply(workspace, ["ada"]);
  await setClockBack({ database }, workspace, HOURS_MS);
  await runSql(database, "delete from delayed_notifications");
  await reply(workspace, ["grace"]);
  await runSql(database, "update delayed_notifications set ready_at = ready_at - 600000, next_at = next_at - 600000");
  await (await createDelivery(database))(workspace);
  expect(await textsIn(workspace)).toHaveLength(1);
});
