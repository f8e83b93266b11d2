import { expect, test } from "vitest";
import {
  addContent,
  applyStoredState,
  COLLABORATIVE_DOCUMENT,
  type Content,
  loadYjsDocument,
  readContent,
  readContents,
  updateContent,
} from "../../../test/crdt.ts";
import { eventually } from "../../../test/eventually.ts";
import { startTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { size } from "../../../test/sizes.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/crdt/update";
type Data = Content["data"];
const service = await startTestService();
const second = await service.secondProcess();

test("the response has a status and a message, and no data", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "old" });
  const { body } = await workspace.call(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "new" });
  expect(body).toEqual({ result: { status: "success", message: "Collaborative document updated." } });
});

test.each<[Content["type"], Data, Data]>([
  ["text", "old text", "new text"],
  ["map", { a: 1, b: { c: [1, 2] } }, { b: { c: [2], d: null }, e: "x" }],
  ["array", [{ id: 1 }, { id: 2, x: 1 }], [{ id: 2, x: 2 }, { id: 3 }]],
  ["xml", "<p>old</p><p/>", '<h1 a="1">new</h1><p>old <b>and</b></p>'],
])("updating %s replaces its data and its time", async (type, data, replacement) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type, data, contentKey: "body" });
  const before = await readContent(workspace);
  await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(before.lastUpdate) + 1));
  await updateContent(workspace, { type, data: replacement });
  const after = await readContent(workspace);
  expect(after).toMatchObject({ id: COLLABORATIVE_DOCUMENT.editorId, type, contentKey: "body", data: replacement });
  expect(Date.parse(after.lastUpdate)).toBeGreaterThan(Date.parse(before.lastUpdate));
});

test("a collaborative document that does not exist is NOT_FOUND, and is not created", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await addContent(other, { type: "text", data: "theirs" });
  await addContent(workspace, { type: "text", data: "x", editorId: "another" });
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "x" });
  expect(error).toMatchObject({ httpStatus: 404, status: "NOT_FOUND" });
  expect(await readContents(workspace)).toMatchObject([{ id: "another" }]);
  expect(await readContent(other)).toMatchObject({ data: "theirs" });
});

test.each([
  { type: "map", data: {} },
  { type: "xml", data: "new" },
  { type: "text", data: "new", contentKey: "content" },
])("%j on a text under another contentKey is FAILED_PRECONDITION and changes nothing", async (request) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "old", contentKey: "body" });
  const before = await readContent(workspace);
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, ...request });
  expect(error).toMatchObject({ status: "FAILED_PRECONDITION", details: { reason: "editor_mismatch" } });
  expect(await readContent(workspace)).toEqual(before);
});

test.each<[Content["type"], Data, object]>([
  ["text", "old", { data: [] }],
  ["text", "old", { data: "\ud800" }],
  ["xml", "<p/>", { data: "<p>" }],
  ["array", [{}], { data: [1] }],
  ["text", "old", { data: undefined }],
  ["text", "old", { type: undefined }],
])("updating %s %j with %j is INVALID_ARGUMENT and changes nothing", async (type, data, request) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type, data });
  const before = await readContent(workspace);
  const body = JSON.stringify({ data: { ...COLLABORATIVE_DOCUMENT, type, data, ...request } });
  expect((await workspace.call(PATH, body)).body).toMatchObject({ error: { details: { reason: "field_invalid" } } });
  expect(await readContent(workspace)).toEqual(before);
});

test("a client that follows simultaneous updates at two processes ends with the stored data", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "map", data: {} });
  const client = await loadYjsDocument(workspace);
  const callers = [workspace, workspace.at(second.address)];
  const updates = Array.from({ length: 24 }, (_, number) =>
    callers[number % 2]
      ?.result(PATH, { ...COLLABORATIVE_DOCUMENT, type: "map", data: { number, [`key-${number}`]: [number] } })
      .then(() => applyStoredState(client, workspace)),
  );
  await Promise.all(updates);
  await applyStoredState(client, workspace);
  expect(client.getMap("content").toJSON()).toEqual((await readContent(workspace)).data);
  const rows = await runSql<{ version: number }>(
    service.database,
    "select version from crdt_documents where organization_key = $1",
    [organizationKey(workspace.id, COLLABORATIVE_DOCUMENT.organizationId)],
  );
  expect(rows).toEqual([{ version: 25 }]);
});

const OBJECTS = size({ usual: 2_000, long: 10_000 });

test(`a collaborative document with ${OBJECTS} objects can be updated`, async () => {
  const workspace = await service.workspace();
  const data = Array.from({ length: OBJECTS }, (_, id) => ({ id, title: "x".repeat(80) }));
  const replacement = data.map((item) => (item.id % 100 === 0 ? { ...item, title: "changed" } : item));
  await addContent(workspace, { type: "array", data });
  const client = await loadYjsDocument(workspace);
  await updateContent(workspace, { type: "array", data: replacement });
  await applyStoredState(client, workspace);
  expect(client.getArray("content").toJSON()).toEqual(replacement);
  expect((await readContent(workspace)).data).toEqual(replacement);
});

test.each<[Content["type"], (number: number) => Data, number]>([
  ["text", (number: number) => `version ${number}`, 20],
  ["map", (number: number) => ({ version: number }), 1],
  ["array", (number: number) => [{ id: "x", version: number }], 1],
  ["xml", (number: number) => `<p version="${number}">text</p>`, 1],
])(
  "after 100 updates of %s, the state has one writer and has hardly grown",
  async (type, buildData, bytesPerUpdate) => {
    const workspace = await service.workspace();
    await addContent(workspace, { type, data: buildData(100) });
    const getSize = async () => Buffer.from((await readContent(workspace)).state ?? "", "base64").length;
    const before = await getSize();
    for (let number = 101; number <= 200; number++) await updateContent(workspace, { type, data: buildData(number) });
    expect((await loadYjsDocument(workspace)).store.clients.size).toBe(1);
    expect(await getSize()).toBeLessThan(before + 100 * bytesPerUpdate);
  },
);

test.each<[Content["type"], Data, Data]>([
  ["array", Array.from({ length: 1000 }, (_, id) => ({ id, tags: ["a", { b: "c" }] })), []],
  ["map", { list: Array.from({ length: 1000 }, (_, number) => ({ number })) }, {}],
  ["xml", '<p class="a">text <b>bold</b></p>'.repeat(1000), ""],
])("the state of %s is small once it is cleared, however large it was", async (type, data, nothing) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type, data });
  await updateContent(workspace, { type, data: nothing });
  const { state = "" } = await readContent(workspace);
  expect(Buffer.from(state, "base64").length).toBeLessThan(100);
});

test("the content of a deleted document is gone before the job purges it, and can be added again", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "old" });
  const key = organizationKey(workspace.id, COLLABORATIVE_DOCUMENT.organizationId);
  await runSql(
    service.database,
    `insert into document_purges (organization_key, document_id, deleted_at)
     select organization_key, document_id, created_at from crdt_documents where organization_key = $1`,
    [key],
  );
  expect(await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "new" })).toMatchObject({
    status: "NOT_FOUND",
  });
  await eventually(() => addContent(workspace, { type: "map", data: { new: true }, contentKey: "other" }));
  expect(await readContent(workspace)).toMatchObject({ type: "map", data: { new: true }, contentKey: "other" });
  await updateContent(workspace, { type: "map", data: { new: false } });
  expect((await loadYjsDocument(workspace)).getMap("other").toJSON()).toEqual({ new: false });
});
