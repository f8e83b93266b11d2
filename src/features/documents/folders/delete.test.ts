import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import { openEventStream } from "../../../../test/event-streams.ts";
import { eventReader, getEvents } from "../../../../test/events.ts";
import { addActivities, readActivityIds, SCOPE } from "../../../../test/factories.ts";
import { addFolders, flatFolders, inFolders } from "../../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addNotification } from "../../../../test/notifications.ts";
import { DOCUMENTS, readRecordIds, untilDocumentsPurged, writeRecords } from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const service = await startTestService();

function deleteFolder(workspace: TestWorkspace, folderId: string) {
  return workspace.data("/v2/organizations/folders/delete", { organizationId: "acme", folderId });
}

test("a folder is deleted with its subfolders and their documents, and others stay", async () => {
  const workspace = await service.workspace();
  await addFolders(workspace, inFolders("a", "b a", "c b", "other", "d other"));
  for (const folderId of ["a", "b", "c", "d"]) {
    await writeRecords(workspace, DOCUMENTS, "add", [`in ${folderId}`], { folderId });
    await addActivities(workspace, [folderId], { documentId: `in ${folderId}` });
  }
  await addActivities(workspace, ["outside"], { documentId: "outside" });
  expect(await deleteFolder(workspace, "b")).toBeNull();
  expect(await flatFolders(workspace)).toEqual({ a: "root", other: "root", d: "root/other" });
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["in a", "in d", "outside"]);
  await untilDocumentsPurged(service, workspace);
  expect(await readActivityIds(workspace)).toEqual(["a", "d", "outside"]);
});

test("data written after it is outside of any folder, and the folder's ID can be reused at once", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["contract-7"], { folderId: "a" });
  await addActivities(workspace, ["before"]);
  await beforePurge(service, async () => {
    await deleteFolder(workspace, "a");
    await addActivities(workspace, ["after"]);
    expect(await addFolders(workspace, inFolders("a"))).toMatchObject({ a: { success: true } });
  });
  await untilDocumentsPurged(service, workspace);
  expect(await readActivityIds(workspace)).toEqual(["after"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "root" })).toEqual(["contract-7"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "a" })).toEqual([]);
});

test("until the purge of a deleted folder, backends read the records of its documents, and users do not", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["contract-7"], { folderId: "a" });
  await addActivities(workspace, ["before"]);
  const token = await tokenFor(workspace, "ada");
  await service.database.transaction(async (holder) => {
    // The job leaves out what is locked, and comes back for it.
    const lock = "select from activities where organization_key = $1 and id = 'before' for update";
    await runSql(holder, lock, [organizationKey(workspace.id, "acme")]);
    await deleteFolder(workspace, "a");
    expect(await readRecordIds(workspace, DOCUMENTS)).toEqual([]);
    expect(await readActivityIds(workspace)).toEqual(["before"]);
    const response = await callWith(token, `${service.address}/v2/activities/get`, SCOPE);
    expect(response).toMatchObject({ httpStatus: 403, body: { error: { details: { reason: "access_denied" } } } });
  });
  await untilDocumentsPurged(service, workspace);
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("until the purge of a restricted folder, users get only the deletion of its documents", async () => {
  const workspace = await service.workspace();
  await addFolders(workspace, [{ folderId: "a", accessType: "restricted" }]);
  await writeRecords(workspace, DOCUMENTS, "add", ["contract-7"], { folderId: "a" });
  const token = await tokenFor(workspace, "grace");
  const { cursor } = await getEvents(workspace);
  const events = () => eventReader(workspace, cursor, { address: service.address, token })();
  const inbox = async () => {
    const request = { organizationId: "acme", userId: "grace" };
    const [page, count] = await Promise.all([
      callWith(token, `${service.address}/v2/notifications/get`, request),
      callWith(token, `${service.address}/v2/notifications/count/get`, { organizationId: "acme", userIds: ["grace"] }),
    ]);
    return [Object(page.body).result.data, Object(count.body).result.data];
  };
  await addActivities(workspace, ["before"]);
  await addNotification(workspace, "n");
  const empty = await inbox();
  expect([empty[0], await events()]).toEqual([[], []]);
  await beforePurge(service, async (holder) => {
    const key = organizationKey(workspace.id, "acme");
    // The job leaves out what is locked, and comes back for it.
    for (const table of ["activities", "notifications", "notification_recipients", "events"])
      await runSql(holder, `select from ${table} where organization_key = $1 for update`, [key]);
    await deleteFolder(workspace, "a");
    expect(await inbox()).toEqual(empty);
    expect(await events()).toEqual([["document.delete", { id: "contract-7" }]]);
  });
  await untilDocumentsPurged(service, workspace);
});

test("a page that streams a document hears of the deletion of its folder, and the others of theirs", async () => {
  const workspace = await service.workspace();
  await addFolders(workspace, inFolders("a", "b a"));
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "a" });
  await writeRecords(workspace, DOCUMENTS, "add", ["e"], { folderId: "b" });
  const { cursor } = await getEvents(workspace);
  const token = await tokenFor(workspace, "ada");
  const stream = await openEventStream(workspace, service.address, {
    query: { documentId: "e", kinds: "document.delete" },
    headers: { authorization: `Bearer ${token}` },
  });
  await expect.poll(stream.lastId).not.toBe("");
  await deleteFolder(workspace, "a");
  await expect.poll(stream.events).toEqual([["document.delete", { id: "e" }]]);
  const { events } = await getEvents(workspace, { cursor, kinds: ["document.delete"] });
  expect(events).toMatchObject([
    { documentId: "d", subject: { id: "d" } },
    { documentId: "e", subject: { id: "e" } },
  ]);
});

test("the documents of a large folder are deleted in several steps, each with an event", async () => {
  const workspace = await service.workspace();
  await getEvents(workspace);
  await writeRecords(workspace, DOCUMENTS, "add", ["first"], { folderId: "a" });
  const key = organizationKey(workspace.id, "acme");
  await runSql(
    service.database,
    `insert into documents (organization_key, document_id, folder_id)
     select $1, 'd' || n, 'a' from generate_series(1, 10001) as n`,
    [key],
  );
  await deleteFolder(workspace, "a");
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual([]);
  const [row] = await runSql<{ count: number }>(
    service.database,
    `select count(*) as count from documents where organization_key = $1`,
    [key],
  );
  expect(row?.count).toBe(0);
  const [events] = await runSql<{ count: number; positions: number }>(
    service.database,
    `select count(distinct document_id) as count, count(distinct position) as positions from events
     where organization_key = $1 and kind = 'document.delete'`,
    [key],
  );
  expect(events).toEqual({ count: 10_002, positions: 10_002 });
});
