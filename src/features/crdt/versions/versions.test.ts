import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  addContent,
  COLLABORATIVE_DOCUMENT,
  loadYjsDocument,
  readContent,
  updateContent,
} from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { openSyncedPage } from "../../../../test/sync.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import type { Api } from "../../../operations.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const ADD = "/v2/crdt/versions/add";
const GET = "/v2/crdt/versions/get";
const LIST = "/v2/crdt/versions/list";
const RESTORE = "/v2/crdt/versions/restore";
const DELETE = "/v2/crdt/versions/delete";
const service = await startTestService();

async function workspaceWithText(data = "one"): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data });
  return workspace;
}

function addVersion(
  workspace: TestWorkspace,
  fields: Partial<Api[typeof ADD]["request"]> = {},
): Promise<Api[typeof ADD]["response"]> {
  return workspace.data(ADD, { ...COLLABORATIVE_DOCUMENT, name: "Draft", ...fields });
}

async function getVersionNames(workspace: TestWorkspace): Promise<(string | null)[]> {
  return (await workspace.data(LIST, COLLABORATIVE_DOCUMENT)).map(({ name }) => name);
}

test("a version keeps the content of its time, with its state", async () => {
  const workspace = await workspaceWithText();
  const { id } = await addVersion(workspace);
  await updateContent(workspace, { type: "text", data: "two" });
  const version = await workspace.data(GET, { ...COLLABORATIVE_DOCUMENT, versionId: id, includeState: true });
  expect(version).toMatchObject({ id, name: "Draft", data: "one", type: "text", contentKey: "content" });
  expect(version.createdAt).toBeGreaterThan(Date.now() - 600_000);
  const document = new Y.Doc();
  Y.applyUpdate(document, Buffer.from(version.state ?? "", "base64"));
  expect(document.getText("content").toString()).toBe("one");
  expect(await workspace.data(GET, { ...COLLABORATIVE_DOCUMENT, versionId: id })).not.toHaveProperty("state");
});

test("a version contains what was typed and reported as saved before it", async () => {
  const workspace = await workspaceWithText();
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  page.document.getText("content").insert(3, " two");
  await page.saved();
  const { id } = await addVersion(workspace);
  expect(await workspace.data(GET, { ...COLLABORATIVE_DOCUMENT, versionId: id })).toMatchObject({ data: "one two" });
});

test("versions are listed newest first, in pages, without content", async () => {
  const workspace = await workspaceWithText();
  for (const name of ["first", "second", "third"]) await addVersion(workspace, { name });
  const { result } = Object((await workspace.call(LIST, { ...COLLABORATIVE_DOCUMENT, pageSize: 2 })).body);
  expect(result.data.map(({ name }: { name: string }) => name)).toEqual(["third", "second"]);
  expect(Object.keys(result.data[0]).sort()).toEqual(["createdAt", "id", "kind", "name", "userIds"]);
  const rest = await workspace.data(LIST, { ...COLLABORATIVE_DOCUMENT, pageSize: 2, pageToken: result.pageToken });
  expect(rest.map(({ name }) => name)).toEqual(["first"]);
  expect(await workspace.data(LIST, { ...COLLABORATIVE_DOCUMENT, editorId: "another" })).toEqual([]);
});

test("an unknown kind of versions is INVALID_ARGUMENT, and the error names both kinds", async () => {
  const workspace = await workspaceWithText();
  expect(await workspace.error(LIST, { ...COLLABORATIVE_DOCUMENT, kind: "manual" })).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.kind must be one of named, automatic",
  });
});

test("restoring changes open documents and the stored content, and keeps what is typed afterwards", async () => {
  const workspace = await workspaceWithText();
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  const text = page.document.getText("content");
  const { id } = await addVersion(workspace);
  text.delete(0, 3);
  text.insert(0, "something else");
  await page.saved();
  await workspace.result(RESTORE, { ...COLLABORATIVE_DOCUMENT, versionId: id });
  expect(await readContent(workspace)).toMatchObject({ data: "one" });
  await eventually(() => expect(text.toString()).toBe("one"));
  text.insert(3, " more");
  await page.saved();
  expect(await readContent(workspace)).toMatchObject({ data: "one more" });
});

test("restoring is undone by restoring a version that was added before it", async () => {
  const workspace = await workspaceWithText();
  const first = await addVersion(workspace);
  await updateContent(workspace, { type: "text", data: "two" });
  const second = await addVersion(workspace);
  for (const [{ id }, data] of [[first, "one"] as const, [second, "two"] as const, [first, "one"] as const]) {
    await workspace.result(RESTORE, { ...COLLABORATIVE_DOCUMENT, versionId: id });
    expect(await readContent(workspace)).toMatchObject({ data });
  }
});

test("restoring brings formatting, embedded objects and other shared names back", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", contentKey: "default", data: "<paragraph>one</paragraph>" });
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  const fragment = page.document.getXmlFragment("default");
  const text = Object(fragment.get(0)).get(0);
  text.format(0, 2, { bold: true });
  text.insertEmbed(3, { image: "a.png" });
  page.document.getMap("settings").set("locked", true);
  await page.saved();
  const before = [fragment.toString(), text.toDelta()];
  const { id } = await addVersion(workspace);
  page.document.transact(() => {
    fragment.delete(0, 1);
    page.document.getMap("settings").set("locked", false);
  });
  await page.saved();
  await workspace.result(RESTORE, { ...COLLABORATIVE_DOCUMENT, versionId: id });
  const restored = await loadYjsDocument(workspace);
  const restoredFragment = restored.getXmlFragment("default");
  expect([restoredFragment.toString(), Object(restoredFragment.get(0)).get(0).toDelta()]).toEqual(before);
  expect(restored.getMap("settings").get("locked")).toBe(true);
});

test("a version of the same ID is not added twice", async () => {
  const workspace = await workspaceWithText();
  await addVersion(workspace, { versionId: "v1" });
  await updateContent(workspace, { type: "text", data: "two" });
  const { body } = await workspace.call(ADD, { ...COLLABORATIVE_DOCUMENT, name: "Draft", versionId: "v1" });
  expect(Object(body).error).toMatchObject({ status: "ALREADY_EXISTS", details: { reason: "already_exists" } });
  expect(await workspace.data(GET, { ...COLLABORATIVE_DOCUMENT, versionId: "v1" })).toMatchObject({ data: "one" });
});

test("only the versions named are deleted, or all, and the content stays", async () => {
  const workspace = await workspaceWithText();
  for (const name of ["a", "b", "c"]) await addVersion(workspace, { name, versionId: name });
  await workspace.data(DELETE, { ...COLLABORATIVE_DOCUMENT, versionIds: ["b", "missing"] });
  expect(await getVersionNames(workspace)).toEqual(["c", "a"]);
  await workspace.data(DELETE, COLLABORATIVE_DOCUMENT);
  expect(await getVersionNames(workspace)).toEqual([]);
  expect(await readContent(workspace)).toMatchObject({ data: "one" });
});

test.each([
  [ADD, { name: "Draft", editorId: "missing" }],
  [GET, { versionId: "missing" }],
  [RESTORE, { versionId: "missing" }],
])("%s fails for what does not exist", async (path, fields) => {
  const workspace = await workspaceWithText();
  const { body } = await workspace.call(path, { ...COLLABORATIVE_DOCUMENT, ...fields });
  expect(Object(body).error).toMatchObject({ status: "NOT_FOUND", details: { reason: "not_found" } });
});

test("deleting a document deletes its versions, and a new one of the same ID has none of them", async () => {
  const workspace = await workspaceWithText();
  await addVersion(workspace, { versionId: "v1" });
  await workspace.data("/v2/crdt/delete", { organizationId: "acme", documentId: COLLABORATIVE_DOCUMENT.documentId });
  await addContent(workspace, { type: "text", data: "new" });
  expect(await getVersionNames(workspace)).toEqual([]);
  await addVersion(workspace, { versionId: "v1", name: "of the new one" });
  expect(await getVersionNames(workspace)).toEqual(["of the new one"]);
});

test("content of a deleted document takes versions of the same IDs, and has none of the deleted ones", async () => {
  const workspace = await workspaceWithText();
  await addVersion(workspace, { versionId: "v1" });
  await workspace.uncheckedResult("/v2/organizations/documents/delete", {
    organizationId: "acme",
    documentIds: [COLLABORATIVE_DOCUMENT.documentId],
  });
  await addContent(workspace, { type: "text", data: "new" });
  expect(await getVersionNames(workspace)).toEqual([]);
  await addVersion(workspace, { versionId: "v1", name: "of the new one" });
  expect(await getVersionNames(workspace)).toEqual(["of the new one"]);
});

test("a collaborative document has at most 100 versions", async () => {
  const workspace = await workspaceWithText();
  await addVersion(workspace, { versionId: "v1" });
  await runSql(
    service.database,
    `insert into crdt_versions
       (organization_key, document_id, editor_id, id, client_id, name, state, record, created_at)
     select organization_key, document_id, editor_id, 'copy ' || number, client_id, name, state, record,
       created_at - number
     from crdt_versions cross join generate_series(1, 98) as number where organization_key = $1`,
    [organizationKey(workspace.id, "acme")],
  );
  const add = async (versionId: string) =>
    Object((await workspace.call(ADD, { ...COLLABORATIVE_DOCUMENT, name: "Draft", versionId })).body);
  const responses = await Promise.all(["v2", "v3", "v4"].map(add));
  expect(responses.filter(({ result }) => result)).toHaveLength(1);
  expect(responses.filter(({ error }) => error?.details.reason === "limit_reached")).toHaveLength(2);
});

test("a viewer lists and reads versions; only an editor adds, restores and deletes them", async () => {
  const workspace = await workspaceWithText();
  await workspace.result("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addVersion(workspace, { versionId: "v1" });
  const call = async (accessRole: "viewer" | "editor", path: string, fields: object) => {
    const resources = [{ type: "organization" as const, id: "acme", accessRole }];
    const token = await tokenFor(workspace, "ada", { resources });
    const response = await fetch(service.address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ data: { ...COLLABORATIVE_DOCUMENT, ...fields } }),
    });
    return response.status;
  };
  const version = { versionId: "v1" };
  expect(await call("viewer", LIST, {})).toBe(200);
  expect(await call("viewer", GET, version)).toBe(200);
  const writes = [
    [ADD, { name: "Mine" }],
    [RESTORE, version],
    [DELETE, { versionIds: ["v1"] }],
  ] as const;
  for (const [path, fields] of writes) expect(await call("viewer", path, fields)).toBe(403);
  for (const [path, fields] of writes) expect(await call("editor", path, fields)).toBe(200);
});

test("only editors of the organization change its versions, and never those of another one", async () => {
  const workspace = await workspaceWithText();
  const other = { ...COLLABORATIVE_DOCUMENT, organizationId: "umbrella" };
  await workspace.data("/v2/crdt/add", { ...other, type: "text", data: "theirs" });
  await workspace.data(ADD, { ...other, name: "Theirs", versionId: "theirs" });
  const { id: versionId } = await addVersion(workspace);
  const viewer = await tokenFor(workspace, "vera", {
    resources: [{ type: "organization", id: "acme", accessRole: "viewer" }],
  });
  const calls: [string, object][] = [
    ["/v2/crdt/versions/update", { versionId, name: "Mine" }],
    [DELETE, { versionIds: [versionId] }],
    [DELETE, {}],
    [RESTORE, { versionId }],
    [ADD, { name: "Mine" }],
  ];
  for (const [path, fields] of calls) {
    const { body } = await callWith(viewer, `${service.address}${path}`, { ...COLLABORATIVE_DOCUMENT, ...fields });
    expect(body, path).toMatchObject({ error: { status: "PERMISSION_DENIED" } });
  }
  const theirs = { ...COLLABORATIVE_DOCUMENT, versionId: "theirs" };
  expect(await workspace.error(GET, theirs)).toMatchObject({ status: "NOT_FOUND" });
  expect(await workspace.error(RESTORE, theirs)).toMatchObject({ status: "NOT_FOUND" });
  expect(await workspace.error("/v2/crdt/versions/compare", theirs)).toMatchObject({ status: "NOT_FOUND" });
  await workspace.data(DELETE, { ...COLLABORATIVE_DOCUMENT, versionIds: ["theirs"] });
  expect(await workspace.data(LIST, other)).toMatchObject([{ id: "theirs" }]);
  expect(await getVersionNames(workspace)).toEqual(["Draft"]);
});
