import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../test/crdt.ts";
import { openEventStream } from "../../../test/event-streams.ts";
import { getEvents } from "../../../test/events.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const ADA = { userId: "ada" };
const CREATION_KINDS = ["organization.update", "document.update"] as const;

/** Calls that create the organization and its document, by name. */
const FIRST_CALLS: Record<string, (workspace: TestWorkspace) => Promise<unknown>> = {
  "an activity": (workspace) => addActivities(workspace, ["a"]),
  "an activity that must not be overwritten": async (workspace) => {
    await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { immutable: true } });
    await addActivities(workspace, ["a"]);
  },
  "an annotation": (workspace) =>
    workspace.data("/v2/commentannotations/add", {
      ...SCOPE,
      commentAnnotations: [{ commentData: [{ commentText: "Hello", from: ADA }] }],
    }),
  "a recording": (workspace) => workspace.data("/v2/recordings/add", { ...SCOPE, recordings: [{ from: ADA }] }),
  "a heartbeat": (workspace) => workspace.data("/v2/presence/add", { ...SCOPE, users: [ADA] }),
  "a live state": (workspace) =>
    workspace.data("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "cursor", data: {} }),
  "a merged live state": (workspace) =>
    workspace.data("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "cursor", data: {}, merge: true }),
  "an editor": (workspace) => addContent(workspace, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "one" }),
  "a user of a document": (workspace) => workspace.data("/v2/users/add", { ...SCOPE, users: [ADA] }),
  "a permission": (workspace) =>
    workspace.data("/v2/auth/permissions/add", {
      user: ADA,
      permissions: { resources: [{ type: "document", id: SCOPE.documentId, organizationId: SCOPE.organizationId }] },
    }),
};

test.each(Object.keys(FIRST_CALLS))(
  "%s that creates its organization and document has an event of each",
  async (name) => {
    const workspace = await service.workspace();
    const { cursor } = await getEvents(workspace);
    await FIRST_CALLS[name]?.(workspace);
    const { events } = await getEvents(workspace, { cursor, kinds: [...CREATION_KINDS] });
    const [document] = await workspace.data("/v2/organizations/documents/get", {
      organizationId: SCOPE.organizationId,
    });
    expect(events).toMatchObject([
      { event: "organization.update", subject: { id: SCOPE.organizationId }, record: { id: SCOPE.organizationId } },
      { event: "document.update", documentId: SCOPE.documentId, subject: { id: SCOPE.documentId }, record: document },
    ]);
    await FIRST_CALLS[name]?.(workspace).catch(() => undefined);
    expect((await getEvents(workspace, { cursor, kinds: [...CREATION_KINDS] })).events).toHaveLength(2);
  },
);

test("a user who is the first in a document by a stream gets an event of the document", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"], { documentId: "other" });
  const token = await tokenFor(workspace, "ada");
  const query = { documentId: SCOPE.documentId, kinds: "document.update" };
  const stream = await openEventStream(workspace, service.address, {
    query,
    headers: { authorization: `Bearer ${token}` },
  });
  await expect.poll(stream.events).toEqual([["document.update", { id: SCOPE.documentId }]]);
});

test("an added organization is an event, and one that exists is not", async () => {
  const workspace = await service.workspace();
  const { cursor } = await getEvents(workspace);
  const organizations = [{ organizationId: SCOPE.organizationId, organizationName: "Acme" }];
  for (const _ of [1, 2]) await workspace.data("/v2/organizations/add", { organizations });
  const { events } = await getEvents(workspace, { cursor });
  expect(events).toMatchObject([{ event: "organization.update", record: { organizationName: "Acme" } }]);
});
