import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../../test/crdt.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { webhookBodies } from "../../../../test/webhook-bodies.ts";

const { organizationId, documentId } = SCOPE;
const { workspaceWithThread, advanced, buildBody } = webhookBodies(await startTestService());

test("bodies are built whatever characters the records of documents and users have", async () => {
  const workspace = await workspaceWithThread();
  const metadata = { "\0": "\ud800" };
  const document = { documentId, documentName: "Contract \0" };
  const grace = { userId: "grace", name: "Grace \ud800", email: "grace@example.com" };
  await workspace.data("/v2/organizations/documents/update", {
    organizationId,
    documents: [{ ...document, metadata }],
  });
  await workspace.data("/v2/users/add", { organizationId, users: [{ ...grace, metadata }] });
  const updatedData = { priority: "P0" };
  await workspace.data("/v2/commentannotations/update", {
    ...{ ...SCOPE, annotationIds: ["a"], updatedData, actionUser: { userId: "grace" } },
  });
  expect(await advanced(workspace)).toMatchObject({ data: { actionUser: grace, metadata: { document } } });
  await addContent(workspace, { type: "text", data: "Payment is due." });
  const subject = { editorId: COLLABORATIVE_DOCUMENT.editorId };
  const event = { ...SCOPE, kind: "crdt.update_data" as const, subject, details: null, userId: null };
  expect(JSON.parse(await buildBody(workspace, event))).toMatchObject({ data: { metadata: { document } } });
});
