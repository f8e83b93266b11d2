import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  addAnnotations,
  changeAnnotations,
  comment,
  readAnnotationIds,
  readAnnotations,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { buildAnchor, SharedText } from "../../../anchors/anchors.ts";

const service = await startTestService();

const text = new Y.Doc().getText("content");
text.insert(0, "Payment is due within thirty days.");
const built = buildAnchor(new SharedText(text), 22, 33);
if (!built) throw new Error("The passage has no characters.");
const ANCHOR = { editorId: "clause-3", ...built };
const PAGE_ANCHOR = { selector: "#terms", quote: { exact: "thirty days" } };
const POINT = { selector: "#plan", x: 0.25, y: 1 };

test("an annotation keeps the anchor that it is added with, and says what the service knows of it", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [
    { annotationId: "text", anchor: ANCHOR },
    { annotationId: "page", anchor: PAGE_ANCHOR },
    { annotationId: "point", anchor: POINT },
  ]);
  const read = (await readAnnotations(workspace)).map(({ annotationId, anchor, anchorState, anchorText }) => {
    return { annotationId, anchor, anchorState, anchorText };
  });
  expect(read).toEqual([
    { annotationId: "point", anchor: POINT },
    { annotationId: "page", anchor: PAGE_ANCHOR },
    { annotationId: "text", anchor: ANCHOR, anchorState: "attached", anchorText: "thirty days" },
  ]);
});

test("an update replaces or clears the anchor, and other updates keep it", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", anchor: POINT }]);
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData: { anchor: ANCHOR } });
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData: { priority: "P0" } });
  const [anchored] = await readAnnotations(workspace);
  expect(anchored).toMatchObject({ anchor: ANCHOR, anchorState: "attached", anchorText: "thirty days" });
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData: { anchor: null } });
  const [cleared] = await readAnnotations(workspace);
  expect([cleared?.anchor, cleared?.anchorState, cleared?.anchorText]).toEqual([null, undefined, undefined]);
});

test("annotations are filtered and counted by the collaborative document of their anchor", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [
    { annotationId: "a", anchor: ANCHOR },
    { annotationId: "b", anchor: { ...ANCHOR, editorId: "clause-4" } },
    { annotationId: "c", anchor: POINT },
  ]);
  const { documentId } = SCOPE;
  expect(await readAnnotationIds(workspace, { anchorEditorIds: ["clause-3"], order: "asc" })).toEqual(["a"]);
  const both = { anchorEditorIds: ["clause-3", "clause-4", "none"], documentId };
  expect(await readAnnotationIds(workspace, { ...both, order: "asc" })).toEqual(["a", "b"]);
  const counts = await workspace.data("/v2/commentannotations/count/get", {
    ...{ organizationId: SCOPE.organizationId, documentIds: [documentId], userId: "grace" },
    anchorEditorIds: ["clause-4"],
  });
  expect(counts).toEqual({ [documentId]: { total: 1, unread: 1 } });
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData: { anchor: POINT } });
  expect(await readAnnotationIds(workspace, { anchorEditorIds: ["clause-3"] })).toEqual([]);
});

test.each([
  ["a position that is none", { ...ANCHOR, start: "AAA=" }, "anchor.start", "must be the Base64 of"],
  ["a quote with a lone surrogate", { ...ANCHOR, quote: { exact: "\ud83d" } }, "anchor.quote.exact", "lone surrogates"],
  ["an empty quote in a page", { ...PAGE_ANCHOR, quote: { exact: "" } }, "anchor.quote", "must have an exact passage"],
  ["a long quote", { ...PAGE_ANCHOR, quote: { exact: "x".repeat(2_001) } }, "anchor.quote.exact", "at most 2000"],
  [
    "a long context",
    { ...PAGE_ANCHOR, quote: { exact: "x", prefix: "x".repeat(65) } },
    "anchor.quote.prefix",
    "at most",
  ],
  ["a point outside of the element", { ...POINT, x: 1.01 }, "anchor.x", "must be at most 1"],
  ["no end", { editorId: "clause-3", start: ANCHOR.start, quote: { exact: "x" } }, "anchor.end", "is required"],
  ["an unknown field", { ...POINT, z: 0 }, "anchor.z", "is not a field"],
  ["fields of two kinds", { ...POINT, quote: { exact: "x" } }, "anchor.quote", "is not a field"],
  ["an editorId that is none", { ...ANCHOR, editorId: "" }, "anchor.editorId", "must not be empty"],
])("%s is INVALID_ARGUMENT, with the field that is wrong", async (_title, anchor, field, message) => {
  const workspace = await service.workspace();
  const request = { ...SCOPE, commentAnnotations: [{ anchor, commentData: [comment()] }] };
  const error = await workspace.error("/v2/commentannotations/add", request);
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    details: { issues: [{ message: expect.stringContaining(message) }] },
  });
  expect(error.message).toContain(`data.commentAnnotations[0].${field} `);
});

test("a quote with U+0000 is returned as it was sent", async () => {
  const workspace = await service.workspace();
  const anchor = { ...ANCHOR, quote: { exact: "a \u0000 b", prefix: "", suffix: "\u2028" } };
  await addAnnotations(workspace, [{ annotationId: "a", anchor }]);
  expect((await readAnnotations(workspace))[0]).toMatchObject({ anchor, anchorText: "a \u0000 b" });
});
