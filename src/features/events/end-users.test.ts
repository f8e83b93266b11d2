import { expect, test } from "vitest";
import { addAnnotations } from "../../../test/comments.ts";
import { eventReader, getEvents, workspaceWithDocument } from "../../../test/events.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { Visibility } from "../comments/annotations/visibility.ts";
import { writeEvents } from "../event-log/event-log-queries.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const service = await startTestService();
const FOR_GRACE: Visibility = { type: "restricted", userIds: ["grace"] };

/** Returns functions that read the events of a new workspace since their last call, as users and as the backend. */
async function listen() {
  const workspace = await workspaceWithDocument(service);
  const { cursor } = await getEvents(workspace);
  const tokens = { bob: await tokenFor(workspace, "bob"), grace: await tokenFor(workspace, "grace") };
  const readAs = (token: string) => eventReader(workspace, cursor, { address: service.address, token });
  const [bobs, graces, backends] = [readAs(tokens.bob), readAs(tokens.grace), eventReader(workspace, cursor)];
  return { workspace, tokens, bobs, readAll: async () => [await bobs(), await graces(), await backends()] };
}

test("a user gets the events of documents that the user may read, and no others", async () => {
  const { workspace, bobs } = await listen();
  const { organizationId } = SCOPE;
  const documents = [{ documentId: "closed" }, { documentId: "contract-7" }];
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents });
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: ["closed"], accessType: "restricted" },
  });
  await addActivities(workspace, ["hidden"], { documentId: "closed" });
  await addActivities(workspace, ["seen"]);
  expect(await bobs()).toEqual([
    ["document.update", { id: "contract-7" }],
    ["activity.add", { id: "seen" }],
  ]);
});

test("a reader of activities gets those of all documents that the user may read, and no other events", async () => {
  const { workspace, tokens } = await listen();
  const { organizationId } = SCOPE;
  const read = async (request: object) => {
    const url = `${service.address}/v2/events/get`;
    return Object((await callWith(tokens.bob, url, { organizationId, activities: true, ...request })).body).result.data;
  };
  const { cursor } = await read({});
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId: "closed" }] });
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: ["closed"], accessType: "restricted" },
  });
  await addActivities(workspace, ["hidden"], { documentId: "closed" });
  await addActivities(workspace, ["seen"]);
  await addActivities(workspace, ["seen-elsewhere"], { documentId: "contract-8" });
  await addAnnotations(workspace, ["in-7"]);
  await addAnnotations(workspace, ["in-8"], { documentId: "contract-8" });
  const news = async (request: object = {}) =>
    (await read({ cursor, ...request })).events.map(({ subject }: { subject: object }) => Object.values(subject)[0]);
  expect(await news()).toEqual(["seen", "seen-elsewhere"]);
  expect(await news({ documentId: "contract-8" })).toEqual(["seen", "contract-8", "seen-elsewhere", "in-8"]);
});

test("only those who see a private annotation get its events, also that of its deletion", async () => {
  const { workspace, readAll } = await listen();
  await addAnnotations(workspace, [{ annotationId: "a", visibility: FOR_GRACE }]);
  const added = [["comment_annotation.add", { annotationId: "a" }]];
  expect(await readAll()).toEqual([[], added, added]);
  await workspace.data("/v2/commentannotations/delete", SCOPE);
  const deleted = [
    ["comment.delete", { annotationId: "a", commentId: 1 }],
    ["comment_annotation.delete", { annotationId: "a" }],
  ];
  expect(await readAll()).toEqual([[], deleted, deleted]);
});

test("an annotation that is hidden from a user is gone for this user only", async () => {
  const { workspace, readAll } = await listen();
  const update = (visibility: Visibility) =>
    workspace.data("/v2/commentannotations/update", { ...SCOPE, annotationIds: ["a"], updatedData: { visibility } });
  await addAnnotations(workspace, [{ annotationId: "a" }]);
  await readAll();

  await update(FOR_GRACE);
  const updated = [["comment_annotation.update", { annotationId: "a" }]];
  const gone = [["comment_annotation.delete", { annotationId: "a" }]];
  expect(await readAll()).toEqual([gone, updated, updated]);
  await update({ type: "restricted", userIds: ["bob"] });
  expect(await readAll()).toEqual([updated, gone, updated]);
  await update({ type: "public" });
  expect(await readAll()).toEqual([updated, updated, updated]);
});

test("a reader of one document gets events of changes of the whole inbox, and only of the own one", async () => {
  const { workspace, tokens } = await listen();
  const inbox = (userId: string) => {
    const event = { organizationKey: organizationKey(workspace.id, SCOPE.organizationId), documentId: undefined };
    return { ...event, kind: "notification.update" as const, subject: {}, audience: "user" as const, userId };
  };
  const read = async (waitSeconds: number, cursor: string) => {
    const request = { ...SCOPE, cursor, waitSeconds };
    const { body } = await callWith(tokens.bob, `${service.address}/v2/events/get`, request);
    return Object(body).result.data.events.map(({ event }: { event: string }) => event);
  };
  await addActivities(workspace, ["earlier"]);
  const { cursor } = await getEvents(workspace);
  const waiting = read(20, cursor);
  await service.database.transaction((transaction) => transaction.run(writeEvents([inbox("grace"), inbox("bob")])));
  expect(await waiting).toEqual(["notification.update"]);
  expect(await read(0, cursor)).toEqual(["notification.update"]);
});
