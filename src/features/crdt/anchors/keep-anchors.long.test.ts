import { expect, test } from "vitest";
import { addAnnotations, readAnnotations } from "../../../../test/comments.ts";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { createTestDatabase, makePublic, TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ServiceProcess, startInProcess, temporaryDataDir } from "../../../../test/service-process.ts";
import { sql } from "../../../database/sql.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";

const ANCHOR = {
  ...{ editorId: "clause-3", start: "ALW0++0KFgA=", end: "ALW0++0KIEE=" },
  quote: { exact: "within thirty days of the invoice" },
};

const VERSION = { ...COLLABORATIVE_DOCUMENT, versionId: "empty" };

test.each([
  ["an update", (workspace: TestWorkspace) => updateContent(workspace, { type: "text", data: "Nothing is due." })],
  ["a restore", (workspace: TestWorkspace) => workspace.result("/v2/crdt/versions/restore", VERSION)],
])("%s that is killed while it writes anchors has replaced neither them nor the content", async (_, replace) => {
  const { database, connectionString } = await createTestDatabase();
  const environment = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: await temporaryDataDir(), SECRET_KEY: "5".repeat(64) },
  };
  const killed = new ServiceProcess(environment);
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = await makePublic(new TestWorkspace(await killed.address(), created));
  await addContent(workspace, { type: "text", data: "Nothing is due." });
  await workspace.data("/v2/crdt/versions/add", { ...VERSION, name: "empty" });
  await updateContent(workspace, { type: "text", data: "Payment is due within thirty days of the invoice." });
  await addAnnotations(workspace, [{ annotationId: "a", anchor: ANCHOR }]);
  const read = async (from: TestWorkspace) => ({
    content: await readContent(from),
    annotations: await readAnnotations(from),
    versions: await from.data("/v2/crdt/versions/list", COLLABORATIVE_DOCUMENT),
  });
  const before = await read(workspace);
  await database.transaction(async (transaction) => {
    await transaction.run(sql`lock table comment_annotations in exclusive mode`);
    const replacing = replace(workspace).catch(() => "ended");
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      expect(await runSql(database, waiting)).not.toEqual([]);
    });
    await killed.kill();
    expect(await replacing).toBe("ended");
  });
  const next = workspace.at((await startInProcess(environment)).address);
  expect(await read(next)).toEqual(before);
  await replace(next);
  expect(await read(next)).toMatchObject({
    content: { data: "Nothing is due." },
    annotations: [{ anchor: ANCHOR, anchorState: "detached", anchorText: "" }],
  });
});

test("restores, updates and annotations that change each other's anchors at once never deadlock", async () => {
  const { database, connectionString } = await createTestDatabase();
  const environment = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: await temporaryDataDir(), SECRET_KEY: "5".repeat(64) },
  };
  const { address } = await startInProcess(environment);
  const created = await createWorkspace(database, { name: "busy", activityServiceEnabled: true });
  const workspace = await makePublic(new TestWorkspace(address, created));
  const data = "Payment is due within thirty days of the invoice.";
  await addContent(workspace, { type: "text", data });
  const ids = Array.from({ length: 60 }, (_, index) => `annotation-${(index * 37) % 60}`);
  await addAnnotations(
    workspace,
    ids.map((annotationId) => ({ annotationId, anchor: ANCHOR })),
  );
  const place = { organizationId: "acme", documentId: "contract-7" };
  const editor = { ...place, editorId: "clause-3" };
  await workspace.data("/v2/crdt/versions/add", { ...editor, versionId: "v", name: "v" });
  const annotationIds = ids.slice(0, 30);
  for (let round = 0; round < 10; round++) {
    await Promise.all([
      workspace.result("/v2/crdt/versions/restore", { ...editor, versionId: "v" }),
      workspace.result("/v2/crdt/versions/restore", { ...editor, versionId: "v" }),
      updateContent(workspace, { type: "text", data: `${round} words` }),
      workspace.data("/v2/commentannotations/update", { ...place, annotationIds, updatedData: { anchor: ANCHOR } }),
      workspace.data("/v2/commentannotations/update", { ...place, updatedData: { priority: round } }),
      workspace.data("/v2/commentannotations/delete", { ...place, annotationIds: ids.slice(30 + round, 31 + round) }),
    ]);
  }
  await updateContent(workspace, { type: "text", data: "Nothing is due." });
  const states = (await readAnnotations(workspace)).map(({ anchorState }) => anchorState);
  expect(states).toEqual(Array(50).fill("detached"));
});
