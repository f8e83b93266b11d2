import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  addContent,
  COLLABORATIVE_DOCUMENT,
  type Content,
  readContent,
  readContents,
  updateContent,
} from "../../../../test/crdt.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { newId } from "../../../database/new-id.ts";
import { openOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import { compactUpdates } from "./compact.ts";
import { appendUpdate, selectDocument } from "./crdt-update-queries.ts";

const service = await startTestService();

const { organizationId, ...REF } = COLLABORATIVE_DOCUMENT;

function getScope({ id }: TestWorkspace) {
  return openOrganization(service.database, { id }, organizationId);
}

async function getStored(workspace: TestWorkspace) {
  const { stored } = await selectDocument(getScope(workspace), REF);
  if (!stored) throw new Error("The collaborative document does not exist.");
  return stored;
}

/** A client that has loaded the document, whose changes are appended to the log. */
async function openClient(workspace: TestWorkspace) {
  const { clientId, state, updates } = await getStored(workspace);
  const document = new Y.Doc();
  for (const update of [state, ...updates]) Y.applyUpdate(document, update);
  return {
    document,
    async change(work: (document: Y.Doc) => void) {
      const before = Y.encodeStateVector(document);
      document.transact(() => work(document));
      return append(workspace, clientId, Y.encodeStateAsUpdate(document, before));
    },
  };
}

function append(workspace: TestWorkspace, clientId: number, update: Uint8Array) {
  return appendUpdate(getScope(workspace), { ...REF, clientId, id: newId(), update, authorId: null });
}

async function documentWithUpdates(content: Content) {
  const workspace = await service.workspace();
  await addContent(workspace, content);
  return workspace;
}

test("crdt/get shows an update right after its commit, with the state and the time of it", async () => {
  const workspace = await documentWithUpdates({ type: "text", data: "one" });
  const before = await readContent(workspace);
  const client = await openClient(workspace);
  await client.change((document) => document.getText("content").insert(3, " two"));
  const after = await readContent(workspace);
  expect(after.data).toBe("one two");
  expect(Date.parse(after.lastUpdate)).toBeGreaterThanOrEqual(Date.parse(before.lastUpdate));
  const loaded = new Y.Doc();
  Y.applyUpdate(loaded, Buffer.from(after.state ?? "", "base64"));
  expect(loaded.getText("content").toString()).toBe("one two");
});

test("reading all collaborative documents of a document shows the updates of each", async () => {
  const workspace = await documentWithUpdates({ type: "text", data: "one" });
  await addContent(workspace, { editorId: "other", type: "text", data: "kept" });
  const client = await openClient(workspace);
  await client.change((document) => document.getText("content").insert(3, " two"));
  expect(await readContents(workspace)).toMatchObject([{ data: "one two" }, { data: "kept" }]);
});

test("crdt/update merges with updates that are not compacted yet", async () => {
  const workspace = await documentWithUpdates({ type: "map", data: { a: 1, b: 1 } });
  const client = await openClient(workspace);
  await client.change((document) => document.getMap("content").set("c", 3));
  await updateContent(workspace, { type: "map", data: { a: 2, b: 1, c: 3 } });
  await client.change((document) => document.getMap("content").set("b", 4));
  expect(await readContent(workspace)).toMatchObject({ data: { a: 2, b: 4, c: 3 } });
  expect((await getStored(workspace)).updateIds).toEqual([]);
});

test("no update is lost while others compact, read and update", async () => {
  const workspace = await documentWithUpdates({ type: "map", data: {} });
  const clients = await Promise.all(Array.from({ length: 5 }, () => openClient(workspace)));
  const keys = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all([
    ...clients.map(async (client, number) => {
      for (const key of keys) {
        await client.change((document) => document.getMap("content").set(`${number} ${key}`, key));
      }
    }),
    (async () => {
      for (const _ of keys) {
        await compactUpdates(transactionalOrganization(service.database, getScope(workspace).key), REF);
        await readContents(workspace);
      }
    })(),
  ]);
  const { data } = await readContent(workspace);
  expect(Object.keys(Object(data))).toHaveLength(clients.length * keys.length);
});

test("an update of a deleted document is rejected, and a new one of the same ID has none of its updates", async () => {
  const workspace = await documentWithUpdates({ type: "text", data: "old" });
  const client = await openClient(workspace);
  await client.change((document) => document.getText("content").insert(0, "very "));
  await workspace.result("/v2/crdt/delete", {
    organizationId: COLLABORATIVE_DOCUMENT.organizationId,
    documentId: COLLABORATIVE_DOCUMENT.documentId,
  });
  const late = (document: Y.Doc) => document.getText("content").insert(0, "very ");
  expect(await client.change(late)).toEqual({ block: null, isAppended: false });
  await addContent(workspace, { type: "text", data: "new" });
  expect(await client.change(late)).toEqual({ block: null, isAppended: false });
  expect(await readContent(workspace)).toMatchObject({ data: "new" });
});

test("an update of a disabled organization is rejected", async () => {
  const workspace = await documentWithUpdates({ type: "text", data: "kept" });
  const client = await openClient(workspace);
  const access = { organizationIds: [COLLABORATIVE_DOCUMENT.organizationId] };
  await workspace.uncheckedResult("/v2/organizations/access/disablestate/update", { ...access, disabled: true });
  const rejected = await client.change((document) => document.getText("content").insert(0, "not "));
  expect(rejected).toEqual({ block: "disabled", isAppended: false });
  await workspace.uncheckedResult("/v2/organizations/access/disablestate/update", { ...access, disabled: false });
  expect(await readContent(workspace)).toMatchObject({ data: "kept" });
});

test("an update that Yjs cannot apply leaves the others of the log", async () => {
  const workspace = await documentWithUpdates({ type: "text", data: "one" });
  const { clientId } = await getStored(workspace);
  await append(workspace, clientId, new Uint8Array([255, 255]));
  const client = await openClientIgnoringErrors(workspace);
  await client((document) => document.getText("content").insert(3, " two"));
  expect(await readContent(workspace)).toMatchObject({ data: "one two" });
});

async function openClientIgnoringErrors(workspace: TestWorkspace) {
  const { clientId, state } = await getStored(workspace);
  const document = new Y.Doc();
  Y.applyUpdate(document, state);
  return async (work: (document: Y.Doc) => void) => {
    const before = Y.encodeStateVector(document);
    work(document);
    await append(workspace, clientId, Y.encodeStateAsUpdate(document, before));
  };
}

test("what only Yjs clients can write is read as JSON, without the marks of texts", async () => {
  const workspace = await documentWithUpdates({ type: "map", data: {} });
  const client = await openClient(workspace);
  await client.change((document) => {
    const content = document.getMap<unknown>("content");
    const text = new Y.Text("bold");
    content.set("text", text);
    text.format(0, 4, { bold: true });
    text.insertEmbed(1, { image: "x.png" });
    content.set("bytes", new Uint8Array([1, 2]));
    content.set("large", 2n ** 60n);
    content.set("nothing", undefined);
    content.set("document", new Y.Doc());
    content.set("nested", [{ deep: 1n }]);
    content.set("xml", new Y.XmlElement("p"));
  });
  expect((await readContent(workspace)).data).toEqual({
    text: "b\ufffcold",
    bytes: "AQI=",
    large: String(2n ** 60n),
    nothing: null,
    document: null,
    nested: [{ deep: "1" }],
    xml: "<p/>",
  });
});

test("crdt/update keeps the marks of a text and the attributes that editors write", async () => {
  const workspace = await documentWithUpdates({ type: "xml", data: "" });
  const client = await openClient(workspace);
  await client.change((document) => {
    const heading = new Y.XmlElement("heading");
    const text = new Y.XmlText("a bold word");
    document.getXmlFragment("content").insert(0, [heading]);
    Reflect.apply(heading.setAttribute, heading, ["level", 2]);
    Reflect.apply(heading.setAttribute, heading, ["style", { color: "red" }]);
    heading.insert(0, [text]);
    text.format(2, 4, { bold: true });
  });
  const data = '<heading json:level="2" json:style="{&quot;color&quot;:&quot;red&quot;}">a bold word</heading>';
  expect(await readContent(workspace)).toMatchObject({ data });
  await updateContent(workspace, { type: "xml", data: data.replace("word", "name") });
  const { document } = await openClient(workspace);
  expect(document.getXmlFragment("content").toString()).toBe(
    '<heading level="2" style="[object Object]">a <bold>bold</bold> name</heading>',
  );
});
