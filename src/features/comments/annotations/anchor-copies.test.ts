import { expect, test } from "vitest";
import { addAnnotations, changeAnnotations, comment, readAnnotations } from "../../../../test/comments.ts";
import { addContent, updateContent } from "../../../../test/crdt.ts";
import { migrate } from "../../../../test/document-migrations.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { grant } from "../../../../test/permissions.ts";
import { deleteUserDataAndWait } from "../../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const service = await startOwnTestService();
const ANCHOR = {
  ...{ editorId: "clause-3", start: "ALW0++0KFgA=", end: "ALW0++0KIEE=" },
  quote: { exact: "signed by Ada Lovelace (ada-7f3k)", prefix: "It was ", suffix: "." },
};

test("anchors follow a document that gets another ID, and its content there", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "It was signed by Ada Lovelace (ada-7f3k)." });
  await addAnnotations(workspace, [{ annotationId: "a", anchor: ANCHOR }]);
  await migrate(workspace, SCOPE.documentId, "contract-8");
  const read = async () => (await readAnnotations(workspace, { documentId: "contract-8" }))[0];
  expect(await read()).toMatchObject({ anchor: ANCHOR, anchorState: "attached" });
  await updateContent(workspace, { documentId: "contract-8", type: "text", data: "It was lost." });
  expect(await read()).toMatchObject({ anchor: ANCHOR, anchorState: "detached", anchorText: "" });
});

test("a quote is content of the document: deleting the data of a user whom it names keeps it", async () => {
  const workspace = await service.workspace();
  const [ada, bob] = [{ userId: "ada-7f3k" }, { userId: "bob" }];
  await addAnnotations(workspace, [
    {
      annotationId: "a",
      anchor: ANCHOR,
      assignedTo: ada,
      commentData: [comment({ from: ada }), comment({ from: bob })],
    },
  ]);
  await deleteUserDataAndWait(workspace, ["ada-7f3k"]);
  const [kept] = await readAnnotations(workspace);
  expect(kept).toMatchObject({ anchor: ANCHOR, anchorText: ANCHOR.quote.exact, assignedTo: null });
  expect([kept?.from, kept?.comments.length]).toEqual([undefined, 1]);
});

test("commenters set the anchors of their own annotations, and editors those of others", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [
    { annotationId: "of-grace", commentData: [comment({ from: { userId: "grace" } })] },
  ]);
  await grant(workspace, "ada", "document contract-7", "commenter");
  await grant(workspace, "eva", "document contract-7", "editor");
  const call = async (userId: string, path: string, request: object) => {
    const token = await tokenFor(workspace, userId, {
      resources: [{ type: "document", id: "other", organizationId: "acme" }],
    });
    const { body } = await callWith(token, `${service.address}${path}`, { ...SCOPE, ...request });
    return Object(body).result.data;
  };
  const added = {
    commentAnnotations: [{ annotationId: "of-ada", anchor: ANCHOR, commentData: [{ commentText: "Hm" }] }],
  };
  expect(await call("ada", "/v2/commentannotations/add", added)).toMatchObject({ "of-ada": { success: true } });
  const anchor = { selector: "#plan", x: 0, y: 0.5 };
  const update = { annotationIds: ["of-ada", "of-grace"], updatedData: { anchor } };
  expect(await call("ada", "/v2/commentannotations/update", update)).toMatchObject({
    "of-ada": { success: true },
    "of-grace": { success: false, requiredRole: "editor" },
  });
  expect(await call("eva", "/v2/commentannotations/update", update)).toMatchObject({ "of-grace": { success: true } });
  expect(await readAnnotations(workspace)).toMatchObject([{ anchor }, { anchor }]);
});

test("an update by a backend of many annotations sets one anchor for all", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a", "b"]);
  await changeAnnotations(workspace, "update", { updatedData: { anchor: ANCHOR } });
  expect(await readAnnotations(workspace, { anchorEditorIds: ["clause-3"] })).toHaveLength(2);
});
