import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import { migrate, readMigration, startMigration, untilMigrated } from "../../../../test/document-migrations.ts";
import { getEvents } from "../../../../test/events.ts";
import { activity, addActivities, copyActivity, readActivityIds } from "../../../../test/factories.ts";
import { countDocumentRows, fillDocument } from "../../../../test/filled-documents.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addNotification, readInbox } from "../../../../test/notifications.ts";
import {
  DOCUMENTS,
  deleteRecords,
  ORGANIZATIONS,
  readRecords,
  untilOrganizationPurged,
  writeRecords,
} from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { deleteUserData, findRowsContaining, untilDeletionDone } from "../../../../test/user-data.ts";
import type { Queryable } from "../../../database/statement.ts";
import { operations } from "../../../operations.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const service = await startOwnTestService();
const second = await service.secondProcess();
const _MIGRATE = "/v2/organizations/documents/migrate";

function getKey(workspace: TestWorkspace): string {
  return organizationKey(workspace.id, "acme");
}

/** Inserts an activity in a transaction, as a request does that checked access before. */
function insertActivity(transaction: Queryable, workspace: TestWorkspace, id: string, documentId: string) {
  const metadata = { apiKey: workspace.apiKey, documentId, organizationId: "acme" };
  const record = JSON.stringify({ ...activity({ id }), metadata });
  return runSql(
    transaction,
    `insert into activities (organization_key, id, document_id, user_id, feature_type, action_type, created_at,
       sequence, record, record_bytes)
     values ($1, $2, $3, 'ada', 'comment', 'comment.add',
       floor(extract(epoch from statement_timestamp()) * 1000)::bigint, 1, $4::text::json, octet_length($4::text))`,
    [getKey(workspace), id, documentId, record],
  );
}

/** Operations that name a document whose data they read or write, or that they change. */
const documentOperations = operations.flatMap(({ path, request, example }) => {
  const names = Object.keys(Object(request).properties ?? {});
  const isManagement = /^\/v\d\/organizations\/documents\/(add|update|delete|move|migrate|access\/)/.test(path);
  const isUserLevel = /^\/v\d\/users\/(add|update|delete)$/.test(path);
  const isPermission = /^\/v\d\/auth\/permissions\/(add|remove)$/.test(path);
  const isData = !/^\/v\d\/(organizations|users|auth)\//.test(path);
  if (/count\/get$|\/status$/.test(path) && !isData) return [];
  const change = (documentId: string) => {
    if (isPermission)
      return { permissions: { resources: [{ type: "document", id: documentId, organizationId: "acme" }] } };
    if (path.startsWith("/v1/organizations/documents/locations")) return undefined;
    if (names.includes("documents")) return { documents: [{ documentId }] };
    if (names.includes("documentId")) return { documentId };
    return names.includes("documentIds") ? { documentIds: [documentId] } : undefined;
  };
  if (!(isManagement || isUserLevel || isPermission || isData) || change("x") === undefined) return [];
  return [
    {
      path,
      requestFor: (documentId: string) => ({ ...Object(example), organizationId: "acme", ...change(documentId) }),
    },
  ];
});

test("until the job has ended, every operation on either document is UNAVAILABLE on every process", async () => {
  const workspace = await service.publicWorkspace();
  await fillDocument(service, workspace, "old");
  const full = await countDocumentRows(service, workspace, "old");
  expect(documentOperations.length).toBeGreaterThan(30);
  const migrationId = await beforePurge(service, async () => {
    const id = await startMigration(workspace, "old", "new");
    for (const { path, requestFor } of documentOperations) {
      for (const documentId of ["old", "new"]) {
        const caller = documentId === "old" ? workspace : workspace.at(second.address);
        const { organizationId, ...request } = requestFor(documentId);
        const isOpen = /^\/v2\/auth\/permissions/.test(path);
        const error = await caller.error(path, isOpen ? request : { organizationId, ...request });
        const details = { reason: "document_being_migrated", organizationId: "acme", documentId };
        expect(error, path).toMatchObject({ status: "UNAVAILABLE", details });
      }
    }
    return id;
  });
  await untilMigrated(workspace, migrationId);
  // The event of the old document's creation stays, and the new one has that of the migration's end.
  expect(await countDocumentRows(service, workspace, "new")).toEqual(full);
});

test("lists over the organization leave the records out until the job has ended, and mails wait", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n", { documentId: "old" });
  await addActivities(workspace, ["a"], { documentId: "old" });
  const migrationId = await beforePurge(service, async () => {
    const id = await startMigration(workspace, "old", "new");
    expect(await readActivityIds(workspace, { documentId: undefined })).toEqual([]);
    expect(await readInbox(workspace, "grace")).toEqual([]);
    return id;
  });
  await untilMigrated(workspace, migrationId);
  expect(await readActivityIds(workspace, { documentId: undefined })).toEqual(["a"]);
  expect(await readInbox(workspace, "grace")).toEqual(["n"]);
});

test("a folder with a document that is being migrated cannot be deleted", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["old"], { folderId: "drafts" });
  const migrationId = await beforePurge(service, async () => {
    const id = await startMigration(workspace, "old", "new");
    const error = await workspace.error("/v2/organizations/folders/delete", {
      organizationId: "acme",
      folderId: "drafts",
    });
    expect(error).toMatchObject({ status: "UNAVAILABLE", details: { reason: "document_being_migrated" } });
    return id;
  });
  await untilMigrated(workspace, migrationId);
  expect(await readRecords(workspace, DOCUMENTS)).toMatchObject([{ id: "new", folderId: "drafts" }]);
});

test("a write that was let in before the migration moves too", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["before"], { documentId: "old" });
  const migrationId = await beforePurge(service, async (writer) => {
    const id = await startMigration(workspace, "old", "new");
    await insertActivity(writer, workspace, "during", "old");
    return id;
  });
  await untilMigrated(workspace, migrationId);
  expect((await readActivityIds(workspace, { documentId: "new" })).sort()).toEqual(["before", "during"]);
});

test("the migration fails, and moves nothing, if the new document was written to while it began", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["old"], { folderId: "drafts" });
  await addActivities(workspace, ["before"], { documentId: "old" });
  const { cursor } = await getEvents(workspace);
  const migrationId = await beforePurge(service, async (writer) => {
    const id = await startMigration(workspace, "old", "new");
    await insertActivity(writer, workspace, "during", "new");
    return id;
  });
  await untilMigrated(workspace, migrationId, "failed");
  expect(await readMigration(workspace, migrationId)).toMatchObject({ failure: expect.stringContaining("written to") });
  const { events } = await getEvents(workspace, { cursor, kinds: ["document.update"] });
  expect(events).toMatchObject([{ record: { id: "old" } }, { record: { id: "new" } }]);
  expect(await readActivityIds(workspace, { documentId: "old" })).toEqual(["before"]);
  expect(await readActivityIds(workspace, { documentId: "new" })).toEqual(["during"]);
  await addActivities(workspace, ["after"], { documentId: "old" });
  expect(await readRecords(workspace, DOCUMENTS, { folderId: "drafts" })).toMatchObject([{ id: "old" }]);
});

test("no acknowledged write is lost", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["first"], { documentId: "old" });
  const acknowledged = ["first"];
  let isDone = false;
  async function write(writer: number): Promise<void> {
    const caller = writer % 2 ? workspace : workspace.at(second.address);
    for (let number = 0; !isDone; number++) {
      const id = `${writer}-${number}`;
      const request = { organizationId: "acme", documentId: "old", activities: [activity({ id })] };
      const { httpStatus } = await caller.call("/v2/activities/add", request);
      expect([200, 503]).toContain(httpStatus);
      if (httpStatus === 200) acknowledged.push(id);
    }
  }
  const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  await migrate(workspace, "old", "new").finally(() => {
    isDone = true;
  });
  await writing;
  const [moved, later] = [
    await readActivityIds(workspace, { documentId: "new" }),
    await readActivityIds(workspace, { documentId: "old" }),
  ];
  expect([...moved, ...later].sort()).toEqual(acknowledged.sort());
});

test("data of an earlier document of the same ID that waits for its purge is not moved", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["a"], { documentId: "old" });
  await copyActivity(service.database, getKey(workspace), "a", 6_000);
  const migrationId = await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["old"]);
    await addActivities(workspace, ["kept"], { documentId: "old" });
    return startMigration(workspace, "old", "new");
  });
  await untilMigrated(workspace, migrationId);
  expect(await readActivityIds(workspace, { documentId: undefined })).toEqual(["kept"]);
});

test("a deletion of a user's data that is accepted meanwhile leaves nothing of the user", async () => {
  const workspace = await service.publicWorkspace();
  await fillDocument(service, workspace, "old");
  await addActivities(workspace, [{ id: "hers", actionUser: { userId: "user-to-forget" } }], { documentId: "old" });
  const named = { documentId: "old", users: [{ userId: "user-to-forget" }] };
  await writeRecords(workspace, DOCUMENTS, "update", [named]);
  await workspace.data("/v2/presence/add", { organizationId: "acme", ...named });
  const { migrationId, jobId } = await beforePurge(service, async () => {
    const id = await startMigration(workspace, "old", "new");
    return { migrationId: id, ...(await deleteUserData(workspace, ["user-to-forget"])) };
  });
  await untilDeletionDone(workspace, jobId);
  await untilMigrated(workspace, migrationId);
  expect(await findRowsContaining(service.database, ["user-to-forget"])).toEqual([]);
  expect(await readActivityIds(workspace, { documentId: "new" })).not.toContain("hers");
});

test("deleting the organization meanwhile deletes everything", async () => {
  const workspace = await service.publicWorkspace();
  await fillDocument(service, workspace, "old");
  await beforePurge(service, async () => {
    await startMigration(workspace, "old", "new");
    await deleteRecords(workspace, ORGANIZATIONS, ["acme"]);
  });
  await untilOrganizationPurged(service, workspace);
  expect([
    await countDocumentRows(service, workspace, "old"),
    await countDocumentRows(service, workspace, "new"),
  ]).toEqual([{}, {}]);
});
