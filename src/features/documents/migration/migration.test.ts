import { describe, expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import { addAnnotations, readAnnotations } from "../../../../test/comments.ts";
import { migrate, readMigration, startMigration, untilMigrated } from "../../../../test/document-migrations.ts";
import { getEvents } from "../../../../test/events.ts";
import { addActivities, copyActivity, readActivities, readActivityIds } from "../../../../test/factories.ts";
import { countDocumentRows, FILLED_TABLES, fillDocument } from "../../../../test/filled-documents.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { readNotifications } from "../../../../test/notifications.ts";
import {
  DOCUMENTS,
  deleteRecords,
  readRecordIds,
  readRecords,
  setDisabled,
  untilDocumentsPurged,
  writeRecords,
} from "../../../../test/organizations.ts";
import { readRecordings } from "../../../../test/recordings.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { size } from "../../../../test/sizes.ts";
import { findRowsContaining } from "../../../../test/user-data.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { deleteExpiredMigrations } from "./expiry.ts";

const service = await startOwnTestService();
const _second = await service.secondProcess();
const MIGRATE = "/v2/organizations/documents/migrate";

function getKey(workspace: TestWorkspace): string {
  return organizationKey(workspace.id, "acme");
}

/** Reads the document's records of each kind, without the ID of the document in their metadata. */
async function getRecords(workspace: TestWorkspace, documentId: string) {
  const lists: { metadata?: object }[][] = await Promise.all([
    readActivities(workspace, { documentId }),
    readAnnotations(workspace, { documentId }),
    readNotifications(workspace, { documentId }),
    readRecordings(workspace, { documentId }),
  ]);
  for (const record of lists.flat()) expect(record.metadata).toMatchObject({ documentId });
  return lists.map((records) => records.map(({ metadata, ...record }) => ({ ...record, ...metadata, documentId: "" })));
}

test("the rows of every table move, and only the traces of the migration name the old document", async () => {
  const workspace = await service.workspace();
  await fillDocument(service, workspace, "old-document");
  await fillDocument(service, workspace, "other");
  const full = await countDocumentRows(service, workspace, "old-document");
  expect(Object.keys(full)).toEqual(FILLED_TABLES.map(({ name }) => name).sort());
  const other = await countDocumentRows(service, workspace, "other");
  await migrate(workspace, "old-document", "new");
  // Each document has the event of the migration's end. The old one keeps the event of its creation.
  expect(await countDocumentRows(service, workspace, "old-document")).toEqual({ events: 2 });
  expect(await countDocumentRows(service, workspace, "new")).toEqual(full);
  expect(await countDocumentRows(service, workspace, "other")).toEqual(other);
  const traces = ['documentId"":""old-document""', "(old-document,", ",old-document,", ",old-document)"];
  const naming = await findRowsContaining(service.database, traces);
  expect(naming).toEqual([
    expect.stringMatching(/^audit_entries .*document\.migrate/),
    expect.stringMatching(/^audit_entries .*user\.add/),
    expect.stringMatching(/^document_migrations /),
    expect.stringMatching(/^events .*document\.update/),
    expect.stringMatching(/^events .*document\.delete/),
    expect.stringMatching(/^removed_token_grants /),
  ]);
});

test("records are read as before, with the new document in their metadata", async () => {
  const workspace = await service.workspace();
  await fillDocument(service, workspace, "old");
  const sent = { id: "odd", entityData: { documentId: "old", "\u0000": "\ud800", __proto__: null } };
  await addActivities(workspace, [sent, { id: "plain" }], { documentId: "old" });
  const before = await getRecords(workspace, "old");
  await migrate(workspace, "old", "new");
  expect(await getRecords(workspace, "new")).toEqual(before);
  expect((await getRecords(workspace, "old")).flat()).toEqual([]);
});

test("the document keeps its name, metadata, folder, access type, users and numbers of annotations", async () => {
  const workspace = await service.workspace();
  const place = { folderId: "drafts" };
  const named = { documentId: "old", documentName: "Contract", team: "a" };
  await writeRecords(workspace, DOCUMENTS, "add", [named], place);
  const organization = { organizationId: "acme" };
  const access = { ...organization, documentIds: ["old"] };
  await workspace.data("/v2/organizations/documents/access/update", { ...access, accessType: "restricted" });
  await workspace.data("/v2/users/add", { ...organization, users: [{ userId: "ada" }], documentId: "old" });
  await addAnnotations(workspace, ["first", "second"], { documentId: "old" });
  const [before] = await readRecords(workspace, DOCUMENTS);
  await migrate(workspace, "old", "new");
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([{ ...before, id: "new" }]);
  expect(before).toMatchObject({ documentName: "Contract", team: "a", folderId: "drafts", accessType: "restricted" });
  const users = await workspace.data("/v2/users/get", { ...organization, documentId: "new" });
  expect(users).toMatchObject([{ userId: "ada" }]);
  await addAnnotations(workspace, ["third"], { documentId: "new" });
  const annotations = await readAnnotations(workspace, { documentId: "new", order: "asc" });
  expect(annotations.map((annotation) => annotation.annotationNumber)).toEqual([1, 2, 3]);
});

/** Number of activities of a large document, of which a step moves 500. */
const MANY = size({ usual: 600, long: 1_500 });

test("a large document moves whole, in the order of its records", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "a", entityData: "x".repeat(20_000) }], { documentId: "old" });
  await copyActivity(service.database, getKey(workspace), "a", MANY);
  const before = await readActivityIds(workspace, { documentId: "old" });
  await migrate(workspace, "old", "new");
  expect(await readActivityIds(workspace, { documentId: "new" })).toEqual(before);
  expect(before.length).toBe(MANY + 1);
});

test("a disabled document is disabled afterwards", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"], { documentId: "old" });
  const disablestate = { organizationId: "acme", documentIds: ["old"], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", disablestate);
  await migrate(workspace, "old", "new");
  expect(await readRecords(workspace, DOCUMENTS)).toMatchObject([{ id: "new", disabled: true }]);
  const error = await workspace.error("/v2/activities/get", { organizationId: "acme", documentId: "new" });
  expect(error.details).toMatchObject({ reason: "document_disabled" });
});

test("the end of a migration is the deletion of the old document and an update of the new one", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["old"]);
  const { cursor } = await getEvents(workspace);
  await migrate(workspace, "old", "new");
  const [record] = await readRecords(workspace, DOCUMENTS);
  const { events } = await getEvents(workspace, { cursor });
  expect(events).toMatchObject([
    { event: "access.update" },
    { event: "document.delete", documentId: "old", subject: { id: "old" } },
    { event: "document.update", documentId: "new", subject: { id: "new" }, record },
  ]);
});

test("events about the document itself keep its old ID", async () => {
  const workspace = await service.workspace();
  const { cursor } = await getEvents(workspace);
  await writeRecords(workspace, DOCUMENTS, "add", ["old"]);
  await addActivities(workspace, ["a"], { documentId: "old" });
  await migrate(workspace, "old", "new");
  await writeRecords(workspace, DOCUMENTS, "add", ["old"]);
  const { events } = await getEvents(workspace, { cursor, documentId: "new" });
  expect(events.map(({ event, subject }) => [event, subject])).toEqual([
    ["activity.add", { id: "a" }],
    ["document.update", { id: "new" }],
  ]);
});

test("a document can move to the ID of one that was deleted while events are kept", async () => {
  const workspace = await service.workspace();
  await getEvents(workspace);
  await writeRecords(workspace, DOCUMENTS, "add", ["old", "gone"]);
  await deleteRecords(workspace, DOCUMENTS, ["gone"]);
  await untilDocumentsPurged(service, workspace);
  await migrate(workspace, "old", "gone");
  await migrate(workspace, "gone", "old");
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["old"]);
});

test("the old ID can be used again afterwards", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"], { documentId: "old" });
  await migrate(workspace, "old", "new");
  await addActivities(workspace, ["b"], { documentId: "old" });
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["new", "old"]);
  expect(await readActivityIds(workspace, { documentId: "old" })).toEqual(["b"]);
});

describe("a migration is rejected", () => {
  const request = { organizationId: "acme", documentId: "old", newDocumentId: "new" };

  test("with NOT_FOUND if the document does not exist", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["a"], { documentId: "other" });
    for (const newDocumentId of ["new", "p"]) {
      const error = await workspace.error(MIGRATE, { ...request, newDocumentId });
      expect(error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining('"old"') });
    }
    expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["other"]);
  });

  test("with ALREADY_EXISTS if the new document exists, is the same, or is still being deleted", async () => {
    const workspace = await service.workspace();
    for (const documentId of ["old", "new", "z", "gone"]) await addActivities(workspace, [documentId], { documentId });
    await beforePurge(service, async () => {
      await deleteRecords(workspace, DOCUMENTS, ["gone"]);
      for (const newDocumentId of ["old", "new", "z", "gone"]) {
        const error = await workspace.error(MIGRATE, { ...request, newDocumentId });
        expect(error).toMatchObject({ status: "ALREADY_EXISTS", message: expect.stringContaining(newDocumentId) });
      }
    });
    await untilDocumentsPurged(service, workspace);
    expect(await readActivityIds(workspace, { documentId: "old" })).toEqual(["old"]);
  });

  test("in a disabled organization, whose data then is where it was", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["a"], { documentId: "old" });
    await setDisabled(workspace, true);
    expect(await workspace.error(MIGRATE, request)).toMatchObject({ status: "PERMISSION_DENIED" });
    await setDisabled(workspace, false);
    expect(await readActivityIds(workspace, { documentId: "old" })).toEqual(["a"]);
  });
});

test("the status is that of the migration, and is found in its organization only", async () => {
  const [workspace, stranger] = [await service.workspace(), await service.workspace()];
  await addActivities(workspace, ["a"], { documentId: "old" });
  const migrationId = await beforePurge(service, async () => {
    const id = await startMigration(workspace, "old", "new");
    expect(await readMigration(workspace, id)).toEqual({ migrationId: id, status: "pending" });
    return id;
  });
  await untilMigrated(workspace, migrationId);
  for (const [caller, organizationId] of [[workspace, "globex"] as const, [stranger, "acme"] as const]) {
    const error = await caller.error(`${MIGRATE}/status`, { organizationId, migrationId });
    expect(error).toMatchObject({ status: "NOT_FOUND" });
  }
});

test("statuses are deleted 30 days after the end, and those of migrations that go on stay", async () => {
  const workspace = await service.workspace();
  for (const documentId of ["long-ago", "recent"]) await addActivities(workspace, [documentId], { documentId });
  const ended = await startMigration(workspace, "long-ago", "new-1");
  const recent = await startMigration(workspace, "recent", "new-2");
  await Promise.all([untilMigrated(workspace, ended), untilMigrated(workspace, recent)]);
  const dayMs = 24 * 60 * 60 * 1000;
  await runSql(
    service.database,
    `update document_migrations set ended_at = ended_at - case when id = $2 then $3::bigint else $4::bigint end
     where organization_key = $1`,
    [getKey(workspace), ended, 30 * dayMs, 29 * dayMs],
  );
  await deleteExpiredMigrations(service.database)(100);
  expect(await workspace.error(`${MIGRATE}/status`, { organizationId: "acme", migrationId: ended })).toMatchObject({
    status: "NOT_FOUND",
  });
  expect(await readMigration(workspace, recent)).toMatchObject({ status: "completed" });
});
