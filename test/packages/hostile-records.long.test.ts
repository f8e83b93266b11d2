import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { callWith, tokenFor } from "../user-tokens.ts";
import { openList } from "./stories/open-story.ts";

const OUTSIDE = "https://outside.example/x.png";
const NO_TEXTS: unknown[] = [{}, [], null, -1, -0.5, 1e308, true, { toString: null }, { $$typeof: "x" }];
/** Attachments as no page of ours sends them. */
const ATTACHMENTS = [
  ...NO_TEXTS.map((value) => ({
    ...{ name: value, type: value, mimeType: value, size: value, url: value, attachmentId: value },
    ...{ urlExpiresAt: value, width: value, height: value },
  })),
  { name: "scan\u202Egnp.exe", mimeType: "image/png", url: "\u0001jAva\tscript:window.hit = 1", size: -1 },
  { name: "", mimeType: "image/svg+xml", url: OUTSIDE },
];
const HTML = [
  "<a><b><i><u><s><font>".repeat(4_700),
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hit=1&gt;">`,
  `<style>*{background:url(${OUTSIDE});display:none}</style><p style="position:fixed;inset:0">cover</p>`,
  `<base href="${OUTSIDE}"><link rel=stylesheet href="${OUTSIDE}"><meta http-equiv=refresh content="0;url=${OUTSIDE}">`,
];

const PLACE = { organizationId: "acme", documentId: "launch-plan" };
const service = await startTestService();

/** Creates a workspace with the document, which pages of this host may read. */
async function workspaceWithPages(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
  const { organizationId, documentId } = PLACE;
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  return workspace;
}

describeInBrowser("comments of a hostile user", () => {
  test("they neither fail nor run or load anything in the pages of others", async () => {
    const workspace = await workspaceWithPages();
    const token = await tokenFor(workspace, "mallory");
    const from = { userId: "mallory" };
    const comments = [
      ...ATTACHMENTS.map((attachment) => ({ from, commentText: "A file", attachments: [attachment] })),
      { from, commentText: "aaa", taggedUserContacts: [{ userId: "ada", text: `${"a".repeat(60_000)}b` }] },
      ...HTML.map((commentHtml) => ({ from, commentText: "A text", commentHtml })),
    ];
    const added = await callWith(token, `${service.address}/v2/commentannotations/add`, {
      ...PLACE,
      commentAnnotations: comments.map((comment) => ({ commentData: [comment] })),
    });
    expect(added.httpStatus).toBe(200);
    const page = await openList({ address: service.address, workspace, story: "threads" });
    const outside: string[] = [];
    page.on("request", (request) => request.url().startsWith("https://outside") && outside.push(request.url()));
    const summaries = page.locator(".colloquy-summary");
    await expect.poll(() => summaries.count()).toBe(comments.length);
    for (const summary of await summaries.all()) {
      await summary.click();
      await page.locator(".colloquy-thread .colloquy-comment-body").waitFor();
    }
    expect(await page.locator(".colloquy-text p").first().innerText()).toBeTruthy();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(outside).toEqual([]);
  });

  test("the cursor of a user who shares text as its place is not shown, and those of others are", async () => {
    const workspace = await workspaceWithPages();
    const page = await openList({ address: service.address, workspace, story: "cursors" });
    const userId = "mallory";
    const token = await tokenFor(workspace, userId);
    const cursors = [...NO_TEXTS, "#board"].map((x) => ({ area: "", x, y: `url(${OUTSIDE})` }));
    for (const [index, cursor] of [...cursors, null, 7, { area: "", x: 0.5, y: 0.5 }].entries()) {
      const share = { ...PLACE, userId, connectionId: `${index}`, data: { cursor } };
      expect((await callWith(token, `${service.address}/v2/presence/broadcast`, share)).httpStatus).toBe(200);
    }
    await page.locator(".colloquy-cursor").waitFor({ state: "attached" });
    expect(await page.locator(".colloquy-cursor").count()).toBe(1);
  });
});
