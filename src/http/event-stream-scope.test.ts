import { expect, test } from "vitest";
import { addAnnotations } from "../../test/comments.ts";
import { openEventStream } from "../../test/event-streams.ts";
import { workspaceWithDocument } from "../../test/events.ts";
import { eventually } from "../../test/eventually.ts";
import { addActivities, SCOPE } from "../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../test/harness.ts";
import { addNotification } from "../../test/notifications.ts";
import { readPresence } from "../../test/presence.ts";
import { callWith, tokenFor } from "../../test/user-tokens.ts";

const service = await startTestService();
const { organizationId } = SCOPE;
const DOCUMENTS = "/v2/organizations/documents";
/** IDs of documents with what separates parameters and items. */
const [FIRST, SECOND, OTHER] = ["contract-7", "a,b&c", "other"];

async function workspaceWithDocuments(): Promise<TestWorkspace> {
  const workspace = await workspaceWithDocument(service);
  const documents = [SECOND, OTHER].map((documentId) => ({ documentId }));
  await workspace.data(`${DOCUMENTS}/add`, { organizationId, documents });
  return workspace;
}

/** Opens a stream of ada. */
async function openStream(workspace: TestWorkspace, rawQuery: string) {
  const headers = { authorization: `Bearer ${await tokenFor(workspace, "ada")}` };
  return openEventStream(workspace, service.address, { rawQuery, headers });
}

/** Returns the details of the error with which a stream of ada is rejected. */
async function getRejection(workspace: TestWorkspace, rawQuery: string) {
  const url = `${service.address}/v2/events/stream?organizationId=${organizationId}${rawQuery}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${await tokenFor(workspace, "ada")}` } });
  return Object(await response.json()).error.details;
}

const buildDocumentsQuery = (...ids: string[]) => ids.map((id) => `&documentIds=${encodeURIComponent(id)}`).join("");

test("a stream follows several documents, and keeps its user online in each", async () => {
  const workspace = await workspaceWithDocuments();
  const stream = await openStream(workspace, buildDocumentsQuery(FIRST, SECOND));
  await addActivities(workspace, ["elsewhere"], { documentId: OTHER });
  await addActivities(workspace, ["one"], { documentId: FIRST });
  await addActivities(workspace, ["two"], { documentId: SECOND });
  const added = () => stream.events().filter(([kind]) => kind === "activity.add");
  await eventually(() => expect(added().map(([, subject]) => subject.id)).toEqual(["one", "two"]));
  const statuses = async (documentId: string) =>
    (await readPresence(workspace, { documentId })).map(({ status }) => status);
  await eventually(async () => expect(await statuses(FIRST)).toEqual(["online"]));
  await eventually(async () => expect(await statuses(SECOND)).toEqual(["online"]));
  expect(await statuses(OTHER)).toEqual([]);
  stream.close();
  await eventually(async () => expect(await statuses(SECOND)).toEqual(["offline"]));
});

test("the documents of a call are added to its document", async () => {
  const workspace = await workspaceWithDocuments();
  const { cursor } = await workspace.data("/v2/events/get", { organizationId });
  for (const documentId of [OTHER, FIRST, SECOND]) await addActivities(workspace, [documentId], { documentId });
  const request = { organizationId, cursor, kinds: ["activity.add" as const] };
  const read = async (scope: object) =>
    (await workspace.data("/v2/events/get", { ...request, ...scope })).events.map((event) => event.documentId);
  expect(await read({ documentIds: [SECOND, FIRST] })).toEqual([FIRST, SECOND]);
  expect(await read({ documentId: OTHER, documentIds: [SECOND, OTHER] })).toEqual([OTHER, SECOND]);
});

test("a stream of an inbox has what changes it, in whichever document, and nothing else", async () => {
  const workspace = await workspaceWithDocuments();
  const stream = await openStream(workspace, "&inbox=true");
  const both = await openStream(workspace, `&inbox=true${buildDocumentsQuery(FIRST)}`);
  await addAnnotations(workspace, [{ annotationId: "a" }], { documentId: OTHER });
  await addNotification(workspace, "of-grace", { notifyUsers: [{ userId: "grace" }] });
  await addNotification(workspace, "of-ada", { notifyUsers: [{ userId: "ada" }] });
  const scope = { organizationId, documentId: OTHER };
  await workspace.data("/v2/commentannotations/delete", { ...scope, annotationIds: ["a"] });
  await addActivities(workspace, ["here"], { documentId: FIRST });
  await workspace.data(`${DOCUMENTS}/delete`, { organizationId, documentIds: [OTHER] });
  const deleted = ["document.delete", { id: OTHER }];
  const changes = [
    ["notification.add", { id: "of-ada" }],
    ["comment_annotation.delete", { annotationId: "a" }],
  ];
  await eventually(() => expect(stream.events()).toEqual([...changes, deleted]));
  const here = ["activity.add", { id: "here" }];
  await eventually(() =>
    expect(both.events().filter(([kind]) => kind !== "presence.update")).toEqual([...changes, here, deleted]),
  );
});

test("a stream that names a document without access is rejected with it, and a backend has no inbox", async () => {
  const workspace = await workspaceWithDocuments();
  await workspace.data(`${DOCUMENTS}/access/update`, {
    ...{ organizationId, documentIds: [OTHER], accessType: "restricted" },
  });
  expect(await getRejection(workspace, buildDocumentsQuery(FIRST, OTHER))).toMatchObject({ reason: "access_denied" });
  const token = await tokenFor(workspace, "ada");
  const request = { organizationId, documentIds: [FIRST, OTHER] };
  expect(await callWith(token, `${service.address}/v2/events/get`, request)).toMatchObject({ httpStatus: 403 });
  const inbox = await workspace.call("/v2/events/get", { organizationId, inbox: true });
  const issues = [{ path: "data.inbox", message: "needs a user token" }];
  expect(inbox).toMatchObject({ httpStatus: 400, body: { error: { details: { issues } } } });
});

const TOO_MANY = buildDocumentsQuery(...Array.from({ length: 101 }, (_, number) => `d${number}`));

test.each([
  ["an inbox that is not a boolean", "&inbox=yes", "data.inbox"],
  ["an empty document", "&documentIds=", "data.documentIds[0]"],
  ["more than 100 documents", TOO_MANY, "data.documentIds"],
  ["a repeated document", "&documentId=a&documentId=b", "data.documentId"],
])("a stream with %s is rejected", async (_, rawQuery, path) => {
  expect(await getRejection(await workspaceWithDocuments(), rawQuery)).toMatchObject({ issues: [{ path }] });
});
