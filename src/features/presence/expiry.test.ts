import { expect, test, vi } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { createTestDatabase, silentLog, startOwnTestService } from "../../../test/harness.ts";
import { addPresence, agePresence, countStoredPresence, readUserIds } from "../../../test/presence.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { deleteExpiredPresence, startPresenceExpiry } from "./expiry.ts";

const DAY_MINUTES = 24 * 60;
const service = await startOwnTestService();

test("what reads leave out is deleted within an hour more, and nothing else", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["now", "offline", "day", "long"]);
  await agePresence(service.database, workspace, ["offline"], DAY_MINUTES - 1);
  await agePresence(service.database, workspace, ["day"], DAY_MINUTES + 60);
  await agePresence(service.database, workspace, ["long"], 365 * DAY_MINUTES);
  await deleteExpiredPresence(service.database);
  expect(await readUserIds(workspace)).toEqual(["now", "offline"]);
  expect(await countStoredPresence(service.database, workspace)).toBe(2);
});

test("more entries than one statement deletes are all deleted, by several processes at once", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["stays"]);
  await service.database.query(
    `insert into presence (organization_key, document_id, user_id, status, last_active)
     select $1, $2, 'user-' || n, 'online', n from generate_series(1, 3500) as n`,
    [organizationKey(workspace.id, SCOPE.organizationId), SCOPE.documentId],
  );
  await Promise.all([deleteExpiredPresence(service.database), deleteExpiredPresence(service.database)]);
  expect(await countStoredPresence(service.database, workspace)).toBe(1);
});

test("once stopped it makes no further statement", async () => {
  const { database } = await createTestDatabase();
  await database.query(
    `insert into presence (organization_key, document_id, user_id, status, last_active)
     select $1, 'd', 'user-' || n, 'online', n from generate_series(1, 1500) as n`,
    [organizationKey("w", "o")],
  );
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const expiry = startPresenceExpiry(database, silentLog);
    vi.advanceTimersByTime(10 * 60 * 1000);
    await expiry.stop();
    vi.advanceTimersByTime(60 * 60 * 1000);
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await database.query("select count(*)::int as count from presence");
  expect(rows).toEqual([{ count: 500 }]);
});
