import { expect, test } from "vitest";
import { addAnnotations } from "../../../test/comments.ts";
import { eventReader, getEvents } from "../../../test/events.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { tokenFor } from "../../../test/user-tokens.ts";
import type { Visibility } from "../comments/annotations/visibility.ts";

const service = await startTestService();
const FOR_GRACE: Visibility = { type: "restricted", userIds: ["grace"] };

/** Returns functions that read the events of a new workspace since their last call, as users and as the backend. */
async function listen() {
  const workspace = await service.workspace();
  const { cursor } = await getEvents(workspace);
  const readAs = async (userId: string) =>
    eventReader(workspace, cursor, { address: service.address, token: await tokenFor(workspace, userId) });
  const [bobs, graces, backends] = [await readAs("bob"), await readAs("grace"), eventReader(workspace, cursor)];
  return { workspace, bobs, readAll: async () => [await bobs(), await graces(), await backends()] };
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
