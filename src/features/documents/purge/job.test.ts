import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import { addActivities, copyActivity, readActivities, readActivityIds } from "../../../../test/factories.ts";
import { countDocumentRows, FILLED_TABLES, fillDocument } from "../../../../test/filled-documents.ts";
import { silentLog, startOwnTestService } from "../../../../test/harness.ts";
import {
  DOCUMENTS,
  deleteRecords,
  readRecordIds,
  readRecords,
  USERS,
  untilDocumentsPurged,
  writeRecords,
} from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { size } from "../../../../test/sizes.ts";
import type { Database } from "../../../database/database.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import { ensureDocument } from "../../implicit-creation/ensure-document.ts";
import { selectRunningTransactions } from "../../purge/purge-queries.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { createPurgeDocuments } from "./job.ts";

const service = await startOwnTestService();
const DELETED = { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: "Document deleted." };
/** What a deleted document leaves: the event of its deletion. */
const EMPTY = { events: 1 };
const NOT_FOUND = { ...DELETED, success: false, code: "not-found", message: "Document not found." };

test("an ordinary document is purged with the response, and other documents stay", async () => {
  const workspace = await service.workspace();
  await fillDocument(service, workspace, "gone");
  await fillDocument(service, workspace, "kept");
  const full = await countDocumentRows(service, workspace, "kept");
  expect(Object.keys(full)).toEqual(FILLED_TABLES.map(({ name }) => name));
  expect(await deleteRecords(workspace, DOCUMENTS, ["gone"])).toEqual({ gone: DELETED });
  expect(await countDocumentRows(service, workspace, "gone")).toEqual(EMPTY);
  await untilDocumentsPurged(service, workspace);
  expect([
    await countDocumentRows(service, workspace, "gone"),
    await countDocumentRows(service, workspace, "kept"),
  ]).toEqual([EMPTY, full]);
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["kept"]);
  expect(await readRecordIds(workspace, USERS, { documentId: "kept" })).toEqual(["ada"]);
});

test("data written after the response stays, even under the same IDs", async () => {
  const workspace = await service.workspace();
  await fillDocument(service, workspace, "again");
  const full = await countDocumentRows(service, workspace, "again");
  await deleteRecords(workspace, DOCUMENTS, ["again"]);
  await fillDocument(service, workspace, "again");
  await untilDocumentsPurged(service, workspace);
  expect(await countDocumentRows(service, workspace, "again")).toEqual({ ...full, events: (full.events ?? 0) + 1 });
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["again"]);
});

test("the job purges the rest of a large document, and keeps what is overwritten in the meantime", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "a", entityData: "old" }]);
  await fillDocument(service, workspace, "contract-7");
  const { activities = 0, events: _, ...others } = await countDocumentRows(service, workspace, "contract-7");
  await copyActivity(service.database, organizationKey(workspace.id, "acme"), "a", 11_999);
  const [old] = await readActivities(workspace, { activityIds: ["a-11999"] });
  await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["contract-7"]);
    // There may be fewer, or none, if the job has started; it ends with the transaction.
    const { activities: left = 0 } = await countDocumentRows(service, workspace, "contract-7");
    expect(left).toBeLessThanOrEqual(activities + 11_999 - 5_000);
    await fillDocument(service, workspace, "contract-7");
    await addActivities(workspace, [...["a", "a-6000", "a-11999"].map((id) => ({ id, entityData: "new" })), "later"]);
  });
  await untilDocumentsPurged(service, workspace);
  const records = (await readActivities(workspace)).filter(({ id }) => /^(a|later)/.test(id));
  expect(records.map(({ id }) => id).sort()).toEqual(["a", "a-11999", "a-6000", "later"]);
  for (const { timestamp } of records) expect(timestamp).toBeGreaterThan(old?.timestamp ?? Number.POSITIVE_INFINITY);
  expect(await countDocumentRows(service, workspace, "contract-7")).toMatchObject(others);
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["contract-7"]);
});

/** Runs the job concurrently with the service's own. Resolves once it waits for running transactions or has ended. */
async function startJob(key: OrganizationKey): Promise<{ ended: Promise<void> }> {
  const waits = Promise.withResolvers<void>();
  let looks = 0;
  const run: Database["run"] = (statement) => {
    // The job looks for transactions at its start, and again to see whether they have ended.
    if (Object.is(statement, selectRunningTransactions) && ++looks === 2) waits.resolve();
    return service.database.run(statement);
  };
  const context = { database: { ...service.database, run }, log: silentLog, signal: new AbortController().signal };
  const ended = createPurgeDocuments().run(context, { organizationKey: key, deletedAt: Date.now() });
  await Promise.race([waits.promise, ended]);
  return { ended };
}

test("a document that is written to during its deletion exists if any of its data stays", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  const job = Promise.withResolvers<void>();
  const key = organizationKey(workspace.id, "acme");
  await beforePurge(service, async (writer) => {
    const scope = openOrganization(writer, { ...workspace, eventLog: undefined }, "acme");
    await ensureDocument(scope, "contract-7");
    expect(await deleteRecords(workspace, DOCUMENTS, ["contract-7"])).toEqual({ "contract-7": DELETED });
    await runSql(
      writer,
      `insert into activities (organization_key, id, document_id, user_id, feature_type, action_type, created_at,
         sequence, record, record_bytes)
       values ($1, 'during', 'contract-7', 'ada', 'comment', 'comment.add',
         floor(extract(epoch from statement_timestamp()) * 1000)::bigint, 1, '{"id":"during"}', 15)`,
      [key],
    );
    job.resolve((await startJob(key)).ended);
  });
  await job.promise;
  await untilDocumentsPurged(service, workspace);
  expect((await countDocumentRows(service, workspace, "contract-7")).activities).toBe(1);
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["contract-7"]);
});

test("locked rows are purged once they are unlocked", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "locked", "z"]);
  await beforePurge(service, async (holder) => {
    await runSql(holder, "select from activities where organization_key = $1 and id = 'locked' for update", [
      organizationKey(workspace.id, "acme"),
    ]);
    await deleteRecords(workspace, DOCUMENTS, ["contract-7"]);
    expect(await readActivityIds(workspace)).toEqual(["locked"]);
  });
  await untilDocumentsPurged(service, workspace);
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("deleting again during the purge deletes what was written in between", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["first"]);
  await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["contract-7"]);
    await addActivities(workspace, ["second"]);
    expect(await deleteRecords(workspace, DOCUMENTS, ["contract-7"])).toEqual({ "contract-7": DELETED });
    await addActivities(workspace, ["third"]);
  });
  await untilDocumentsPurged(service, workspace);
  expect(await readActivityIds(workspace)).toEqual(["third"]);
});

test("a missing document fails alone, and deleting twice fails the second time", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["a", "b"]);
  expect(await deleteRecords(workspace, DOCUMENTS, ["a", "missing", "a"])).toEqual({ a: DELETED, missing: NOT_FOUND });
  expect(await deleteRecords(workspace, DOCUMENTS, ["a"])).toEqual({ a: NOT_FOUND });
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["b"]);
});

test("of twelve concurrent deletions exactly one succeeds", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b"]);
  const deletes = Array.from({ length: 12 }, () => deleteRecords(workspace, DOCUMENTS, ["contract-7"]));
  const results = await Promise.all(deletes);
  expect(results.filter((result) => result["contract-7"]?.success)).toEqual([{ "contract-7": DELETED }]);
});

const DOCUMENT_COUNT = size({ usual: 12, long: 40 });

test("documents that are deleted and written to concurrently are each stored completely or not at all", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: DOCUMENT_COUNT }, (_, index) => `document-${1000 + index}`);
  await Promise.all(ids.map((documentId) => addActivities(workspace, [documentId], { documentId })));
  await Promise.all([
    ...Array.from({ length: DOCUMENT_COUNT / 4 }, (_, part) =>
      deleteRecords(workspace, DOCUMENTS, ids.slice(part * 4, part * 4 + 4)),
    ),
    ...ids.map((documentId) => addActivities(workspace, [`${documentId} again`], { documentId })),
  ]);
  await untilDocumentsPurged(service, workspace);
  const existing = new Set(await readRecordIds(workspace, DOCUMENTS));
  const used = new Set((await readActivityIds(workspace)).map((id) => id.split(" ")[0]));
  expect(existing).toEqual(used);
  expect((await readActivityIds(workspace)).filter((id) => !id.endsWith("again"))).toEqual([]);
  expect(await readRecords(workspace, DOCUMENTS)).toHaveLength(existing.size);
});
