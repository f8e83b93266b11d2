import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../../test/crdt.ts";
import { startTestService } from "../../../../test/harness.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const GET = "/v2/crdt/schema/get";
const UPDATE = "/v2/crdt/schema/update";
const service = await startTestService();

const getSchema = (version: number, marks = ["bold"]) => ({
  ...{ name: "contract", version, nodes: ["doc", "paragraph", "text"] },
  marks,
});

test("a newer schema of a user replaces an older one, and no other does", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data: "<paragraph>One</paragraph>" });
  expect(await workspace.data(GET, COLLABORATIVE_DOCUMENT)).toEqual({
    ...{ type: "xml", contentKey: "content", schema: null },
  });
  const token = await tokenFor(workspace, "ada");
  const record = async (schema: ReturnType<typeof getSchema>) => {
    const { body } = await callWith(token, service.address + UPDATE, { ...COLLABORATIVE_DOCUMENT, schema });
    return Object(body).result?.data;
  };
  expect(await record(getSchema(2))).toEqual({ schema: getSchema(2) });
  expect(await record(getSchema(1, []))).toEqual({ schema: getSchema(2) });
  expect(await record(getSchema(2, []))).toEqual({ schema: getSchema(2) });
  expect(await record(getSchema(3, ["bold", "highlight"]))).toEqual({ schema: getSchema(3, ["bold", "highlight"]) });
  expect(await workspace.data(GET, COLLABORATIVE_DOCUMENT)).toMatchObject({ schema: { version: 3 } });
  expect(await readContent(workspace)).toMatchObject({ schema: { version: 3 } });
});

test("a backend replaces a schema with which a user has made all pages read-only", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data: "<paragraph>One</paragraph>" });
  const token = await tokenFor(workspace, "eve");
  const hostile = getSchema(Number.MAX_SAFE_INTEGER, ["unknown"]);
  await callWith(token, service.address + UPDATE, { ...COLLABORATIVE_DOCUMENT, schema: hostile });
  expect(await workspace.data(GET, COLLABORATIVE_DOCUMENT)).toMatchObject({ schema: hostile });
  const replaced = await workspace.data(UPDATE, { ...COLLABORATIVE_DOCUMENT, schema: getSchema(3) });
  expect(replaced).toEqual({ schema: getSchema(3) });
  expect(await workspace.data(GET, COLLABORATIVE_DOCUMENT)).toMatchObject({ schema: getSchema(3) });
});

test("a backend records the schema with the content", async () => {
  const workspace = await service.workspace();
  const content = { type: "xml" as const, data: "<paragraph>One</paragraph>" };
  await addContent(workspace, { ...content, schema: getSchema(1) });
  expect(await readContent(workspace)).toMatchObject({ schema: getSchema(1) });
  await updateContent(workspace, { ...content, schema: getSchema(2) });
  expect(await readContent(workspace)).toMatchObject({ schema: getSchema(2) });
  await updateContent(workspace, content);
  expect(await workspace.data(GET, COLLABORATIVE_DOCUMENT)).toMatchObject({ schema: getSchema(2) });
});

test("a viewer reads the schema, and only an editor records it", async () => {
  const workspace = await service.workspace();
  await workspace.result("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addContent(workspace, { type: "xml", data: "" });
  const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
  const token = await tokenFor(workspace, "ada", { resources });
  const call = (path: string, data: object) =>
    callWith(token, service.address + path, { ...COLLABORATIVE_DOCUMENT, ...data });
  expect(await call(GET, {})).toMatchObject({ httpStatus: 200 });
  expect(await call(UPDATE, { schema: getSchema(1) })).toMatchObject({ httpStatus: 403 });
});

test("a collaborative document that does not exist has no schema", async () => {
  const workspace = await service.workspace();
  const missing = { ...COLLABORATIVE_DOCUMENT, editorId: "missing" };
  expect(await workspace.error(GET, missing)).toMatchObject({ status: "NOT_FOUND" });
  expect(await workspace.error(UPDATE, { ...missing, schema: getSchema(1) })).toMatchObject({ status: "NOT_FOUND" });
});
