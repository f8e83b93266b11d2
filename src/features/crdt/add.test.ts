import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../test/canonical-json.ts";
import {
  addContent,
  COLLABORATIVE_DOCUMENT,
  type Content,
  loadYjsDocument,
  readContent,
  readContents,
} from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";
import { size } from "../../../test/sizes.ts";

const PATH = "/v2/crdt/add";
const service = await startTestService();
const second = await service.secondProcess();

const SAMPLES: [type: Content["type"], data: Content["data"]][] = [
  ["text", "Payment is due within thirty days. 😀"],
  ["text", ""],
  ["map", { title: "Terms", clause: { number: 3, parts: ["a", { deep: [[], {}, null] }], signed: false } }],
  ["map", {}],
  ["array", [{ id: 1, done: false }, { id: 2, tags: ["x", "y"] }, {}]],
  ["array", []],
  ["xml", '<p class="intro">Hello <b>World</b> &amp; all</p>\n<br/>'],
  ["xml", ""],
];

test.each(SAMPLES)("%s %j is read back with all fields", async (type, data) => {
  const workspace = await service.workspace();
  const before = Date.now();
  await addContent(workspace, { type, data });
  const [record, ...others] = await readContents(workspace);
  const { editorId: id } = COLLABORATIVE_DOCUMENT;
  const known = { id, data, type, contentKey: "content", lastUpdatedBy: null, sessionId: null };
  expect(record).toEqual({ ...known, lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) });
  expect(Date.parse(record?.lastUpdate ?? "")).toBeGreaterThanOrEqual(before);
  expect(Date.parse(record?.lastUpdate ?? "")).toBeLessThanOrEqual(Date.now());
  expect(others).toEqual([]);
});

test("the response has a status and a message, and no data", async () => {
  const workspace = await service.workspace();
  const { body } = await workspace.call(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "x" });
  expect(body).toEqual({ result: { status: "success", message: "Collaborative document created." } });
});

test.each([undefined, "prosemirror", "__proto__", "größe / 7", "constructor"])(
  "a Yjs client finds the content under the contentKey %s and nowhere else",
  async (contentKey) => {
    const workspace = await service.workspace();
    await addContent(workspace, { type: "text", data: "found", contentKey });
    expect((await readContent(workspace)).contentKey).toBe(contentKey ?? "content");
    const document = await loadYjsDocument(workspace);
    expect(document.getText(contentKey ?? "content").toString()).toBe("found");
    // The identity of the document, which has no content, begins with a control character.
    const names = [...document.share.keys()].filter((name) => !name.startsWith("\u0001"));
    expect(names).toEqual([contentKey ?? "content"]);
  },
);

test("a Yjs client finds each type as the Yjs type of its name", async () => {
  const workspace = await service.workspace();
  const array = [{ id: 1, tags: ["x", { y: null }] }];
  await addContent(workspace, { editorId: "text", type: "text", data: "plain" });
  await addContent(workspace, { editorId: "map", type: "map", data: { a: { b: [1, "two", { c: true }] } } });
  await addContent(workspace, { editorId: "array", type: "array", data: array });
  await addContent(workspace, { editorId: "xml", type: "xml", data: '<p class="x">a <b>c</b></p>' });
  const open = (editorId: string) => loadYjsDocument(workspace, { editorId });
  expect((await open("text")).getText("content").toString()).toBe("plain");
  expect((await open("map")).getMap("content").toJSON()).toEqual({ a: { b: [1, "two", { c: true }] } });
  expect((await open("array")).getArray("content").toJSON()).toEqual(array);
  expect((await open("xml")).getXmlFragment("content").toString()).toBe('<p class="x">a <b>c</b></p>');
});

test("a collaborative document that exists is ALREADY_EXISTS, HTTP 409, and stays unchanged", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "first" });
  const before = await readContent(workspace);
  for (const again of [
    { type: "text", data: "first" },
    { type: "map", data: {}, contentKey: "other" },
  ]) {
    const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, ...again });
    expect(error).toMatchObject({ httpStatus: 409, details: { reason: "already_exists" } });
  }
  expect(await readContent(workspace)).toEqual(before);
});

test("of twelve concurrent adds of one ID at two processes exactly one succeeds", async () => {
  const workspace = await service.workspace();
  const callers = [workspace, workspace.at(second.address)];
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, number) => {
      const request = { ...COLLABORATIVE_DOCUMENT, type: "map", data: { number }, contentKey: `key-${number}` };
      return callers[number % 2]?.call(PATH, request);
    }),
  );
  const codes = responses.map((response) => response?.httpStatus);
  expect(codes.toSorted()).toEqual([200, ...Array(11).fill(409)]);
  const number = codes.indexOf(200);
  expect(await readContent(workspace)).toMatchObject({ data: { number }, contentKey: `key-${number}` });
  expect((await loadYjsDocument(workspace)).getMap(`key-${number}`).toJSON()).toEqual({ number });
});

test("the same ID in two documents, organizations or workspaces names two collaborative documents", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addContent(mine, { type: "text", data: "here" });
  await addContent(mine, { type: "text", data: "other document", documentId: "other" });
  await addContent(mine, { type: "text", data: "other organization", organizationId: "globex" });
  await addContent(theirs, { type: "text", data: "other workspace" });
  expect(await readContents(mine)).toMatchObject([{ data: "here" }]);
  expect(await readContents(mine, { documentId: "other" })).toMatchObject([{ data: "other document" }]);
  expect(await readContents(mine, { organizationId: "globex" })).toMatchObject([{ data: "other organization" }]);
  expect(await readContents(theirs)).toMatchObject([{ data: "other workspace" }]);
});

test("the first collaborative document creates its organization", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "x" });
  expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([
    { id: COLLABORATIVE_DOCUMENT.organizationId },
  ]);
});

test.each(["editorId", "type", "data"])("a request without %s is INVALID_ARGUMENT", async (name) => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "x", [name]: undefined });
  expect(error).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT", message: `data.${name} is required` });
});

test.each([
  ["text", {}, "data.data must be a string, as data.type is text"],
  ["text", [], "data.data must be a string, as data.type is text"],
  ["map", "{}", "data.data must be an object, as data.type is map"],
  ["map", [{}], "data.data must be an object, as data.type is map"],
  ["map", [1], "data.data must be an object, as data.type is map"],
  ["text", [1], "data.data must be a string, as data.type is text"],
  ["array", "[]", "data.data must be an array of objects, as data.type is array"],
  ["array", {}, "data.data must be an array of objects, as data.type is array"],
  ["array", [{}, 1], "data.data[1] must be an object"],
  ["array", [[]], "data.data[0] must be an object"],
  ["array", [null], "data.data[0] must be an object"],
  ["xml", {}, "data.data must be a string, as data.type is xml"],
  ["xml", [], "data.data must be a string, as data.type is xml"],
  ["text", null, "data.data must be a string or an object or an array"],
  ["map", 7, "data.data must be a string or an object or an array"],
])("%s with the data %j is INVALID_ARGUMENT and nothing is stored", async (type, data, message) => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type, data });
  expect(error).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT", message });
  expect(await readContents(workspace)).toEqual([]);
});

describe("data that a Yjs document cannot represent", () => {
  const surrogate = "must not hold a lone surrogate: Yjs keeps texts as UTF-8";
  const number = "must be a number that a 64-bit float can hold";
  test.each([
    ["text", String.raw`"a\ud800"`, `data.data ${surrogate}`],
    ["xml", String.raw`"<p>\udc00</p>"`, `data.data ${surrogate}`],
    ["map", String.raw`{"a":[{"b c":"\ud800"}]}`, `data.data.a[0]["b c"] ${surrogate}`],
    ["map", String.raw`{"a":{"\ud800":1}}`, String.raw`data.data.a["\ud800"] ${surrogate}`],
    ["array", String.raw`[{},{"a":"\udfff"}]`, `data.data[1].a ${surrogate}`],
    ["map", `{"a":[0,1e999]}`, `data.data.a[1] ${number}`],
    ["array", `[{"a":-1e999}]`, `data.data[0].a ${number}`],
  ])("%s %s is INVALID_ARGUMENT that names it", async (type, data, message) => {
    const workspace = await service.workspace();
    const request = JSON.stringify({ data: { ...COLLABORATIVE_DOCUMENT, type, data: "DATA" } });
    const { httpStatus, body } = await workspace.call(PATH, request.replace('"DATA"', data));
    expect(body).toMatchObject({ error: { status: "INVALID_ARGUMENT", message } });
    expect(httpStatus).toBe(400);
    expect(await readContents(workspace)).toEqual([]);
  });
});

test("keys of object prototypes and hostile values are returned unchanged, to a Yjs client too", async () => {
  const workspace = await service.workspace();
  const data: object = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":1,"":{"__proto__":[null]},"\\u0000":"\\u0000","toJSON":"x","0":-0}',
  );
  await addContent(workspace, { type: "map", data });
  expect(canonicalJson((await readContent(workspace)).data)).toBe(canonicalJson(data));
  const map = (await loadYjsDocument(workspace)).getMap("content");
  expect([...map.keys()].sort()).toEqual(Object.keys(Object(data)).sort());
  expect(map.get("__proto__")).toHaveProperty("size", 1);
  expect(map.get("\0")).toBe("\0");
});

/** Number of rows, about 100 bytes each: more than the service changes in its main thread. */
const ROWS = size({ usual: 1_000, long: 10_000 });

const LARGE_DATA: [type: Content["type"], data: Content["data"]][] = [
  ["text", "0123456789 😀 line\n".repeat(5 * ROWS)],
  ["map", Object.fromEntries(Array.from({ length: ROWS }, (_, index) => [`key-${index}`, "x".repeat(90)]))],
  ["array", Array.from({ length: ROWS }, (_, id) => ({ id, title: "x".repeat(80) }))],
  ["xml", `<p class="clause">${"x".repeat(80)}</p>`.repeat(ROWS)],
];

test.each(LARGE_DATA)("a large %s is stored completely", async (type, data) => {
  const workspace = await service.workspace();
  expect(JSON.stringify(data).length).toBeGreaterThan(90 * ROWS);
  await addContent(workspace, { type, data });
  expect((await readContent(workspace)).data).toEqual(data);
});

test("a text of the maximum size of a body is stored completely", async () => {
  const workspace = await service.workspace();
  const data = "x".repeat(10 * 1024 * 1024 - 200);
  await addContent(workspace, { type: "text", data });
  const [record] = await readContents(workspace);
  expect(record?.data === data).toBe(true);
});

test("data of the maximum nesting depth of a body is stored completely", async () => {
  const workspace = await service.workspace();
  const data: object = JSON.parse(`${'{"a":['.repeat(31)}${"]}".repeat(31)}`);
  await addContent(workspace, { type: "map", data });
  expect((await readContent(workspace)).data).toEqual(data);
  expect((await loadYjsDocument(workspace)).getMap("content").toJSON()).toEqual(data);
});

test("xml of more than 250,000 values is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "xml", data: "<a/>".repeat(250_001) });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("at most 250,000") });
  expect(await readContents(workspace)).toEqual([]);
});

test("other requests get responses while a large document is created", async () => {
  const workspace = await service.workspace();
  let isDone = false;
  const adding = addContent(workspace, { type: "xml", data: "<p>hello <b>x</b></p>".repeat(30_000) }).then(() => {
    isDone = true;
  });
  for (let responses = 0; responses < 10; responses++) {
    await readContents(workspace, { documentId: "other" });
    expect(isDone).toBe(false);
  }
  await adding;
});
