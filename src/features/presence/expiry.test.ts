import { expect, test, vi } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { createTestDatabase, silentLog, startOwnTestService } from "../../../test/harness.ts";
import { addPresence, agePresence, countStoredPresence, readUserIds } from "../../../test/presence.ts";
import { startExpiry } from "../../database/expiry.ts";
import { sql, text, uuid } from "../../database/sql.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { deleteExpiredPresence, deletePresenceChunk } from "./expiry.ts";

const DAY_MINUTES = 24 * 60;
const service = await startOwnTestService();

test("entries that reads leave out are deleted within one more hour, and no others", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["now", "offline", "day", "long"]);
  await agePresence(service.database, workspace, ["offline"], DAY_MINUTES - 1);
  await agePresence(service.database, workspace, ["day"], DAY_MINUTES + 60);
  await agePresence(service.database, workspace, ["long"], 365 * DAY_MINUTES);
  await deleteExpiredPresence(service.database);
  expect(await readUserIds(workspace)).toEqual(["now", "offline"]);
  expect(await countStoredPresence(service.database, workspace)).toBe(2);
});

test("more entries than one statement deletes are all deleted by concurrent processes", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["stays"]);
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  await service.database.run(
    sql`insert into presence (organization_key, document_id, user_id, status, last_active)
      select ${uuid(key)}, ${text(SCOPE.documentId)}, 'user-' || n, 'online', n from generate_series(1, 3500) as n`,
  );
  await Promise.all([deleteExpiredPresence(service.database), deleteExpiredPresence(service.database)]);
  expect(await countStoredPresence(service.database, workspace)).toBe(1);
});

test("after a stop no further statement runs", async () => {
  const { database } = await createTestDatabase();
  await database.run(
    sql`insert into presence (organization_key, document_id, user_id, status, last_active)
      select ${uuid(organizationKey("w", "o"))}, 'd', 'user-' || n, 'online', n from generate_series(1, 1500) as n`,
  );
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const expiry = startExpiry("presence", deletePresenceChunk(database), silentLog);
    vi.advanceTimersByTime(10 * 60 * 1000);
    await expiry.stop();
    vi.advanceTimersByTime(60 * 60 * 1000);
  } finally {
    vi.useRealTimers();
  }
  expect(await database.run(sql`select count(*)::int as count from presence`)).toEqual([{ count: 500 }]);
});
