import type { BrowserContext } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { addAnnotations, comment } from "../comments.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { addContent } from "../crdt.ts";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { tokenFor } from "../user-tokens.ts";
import { bundle, servePage } from "./packed.ts";
import { installReact } from "./react-page.ts";

const service = await startTestService();

/** A page in which another user can sign in, and which records every text that it shows. */
const PAGE = `
import { createClient } from "@colloquy/client";
import { ColloquyProvider, useInbox, useThreads, useMyPresence, useOthers } from "@colloquy/react";
import { useDocument } from "@colloquy/react/document";
import { createElement as h, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const SCHEMA = { name: "text", version: 1, nodes: [], marks: [] };

function Shown({ documentId }) {
  const [inbox, threads, others] = [useInbox(), useThreads({ documentId }), useOthers({ documentId })];
  const [mine, update] = useMyPresence({ documentId });
  const { document } = useDocument({ documentId, editorId: "clause-1", schema: SCHEMA });
  const [, render] = useState(0);
  useEffect(() => document?.on("update", () => render((count) => count + 1)), [document]);
  return h("ul", null,
    ...inbox.data.map(({ id }) => h("li", { key: id }, id)),
    ...threads.data.flatMap(({ comments }) => comments).map((each) => h("li", null, each.commentText)),
    h("li", null, "Presence " + JSON.stringify(mine)),
    h("li", null, "Content " + document?.getXmlFragment("content").toString()),
    h("li", null, others.isLive && inbox.isLive ? "Live" : "Loading"),
    h("button", { onClick: () => update({ secret: "of " + window.user }) }, "Share"));
}

function Page({ url, organizationId, documentId }) {
  const [client] = useState(() => createClient({ url, getUserToken: () => window.getToken(window.user) }));
  const [userId, setUserId] = useState(window.user);
  window.signIn = (next) => {
    window.user = next;
    client.reset();
    window.shown = [];
    setUserId(next);
  };
  return h(ColloquyProvider, { client, organizationId, userId }, h("h1", null, userId), h(Shown, { documentId }));
}

export function start(scope, user) {
  window.user = user;
  window.shown = [];
  const root = document.getElementById("root");
  new MutationObserver(() => window.shown.push(root.innerText)).observe(root,
    { subtree: true, childList: true, characterData: true });
  createRoot(root).render(h(Page, scope));
}
`;

describeInBrowser("two tabs of a browser", () => {
  test("after a reset, one tab shows only what is the next user's, and the other tab stays as it was", async () => {
    const workspace = await service.workspace();
    await addContent(workspace, { editorId: "clause-1", type: "xml", data: "final" });
    for (const userId of ["ada", "grace"])
      await addNotification(workspace, `for-${userId}`, { notifyUsers: [{ userId }] });
    const visibility = { type: "restricted" as const, userIds: ["ada"] };
    const commentData = [comment({ commentText: "between us" })];
    await addAnnotations(workspace, [{ annotationId: "a", commentData, visibility }]);
    const open = await openTabs(workspace);
    const [first, second] = [await open(), await open()];
    for (const page of [first, second]) {
      for (const text of ["for-ada", "between us", "Content final", "Live"]) await page.getByText(text).waitFor();
    }
    await first.getByRole("button", { name: "Share" }).click();
    await first.getByText('Presence {"secret":"of ada"}').waitFor();
    await first.evaluate("signIn('grace')");

    for (const text of ["for-grace", "Content final", "Presence {}", "Live"]) await first.getByText(text).waitFor();
    await addNotification(workspace, "later-for-grace", { notifyUsers: [{ userId: "grace" }] });
    await first.getByText("later-for-grace").waitFor();
    const shown = (await first.evaluate("shown")) as string[];
    expect(shown.filter((text) => /ada|between us/.test(text))).toEqual([]);
    // The document of the last user is gone before that of the next one is opened.
    expect(shown[0]).toContain("Content undefined");
    await addNotification(workspace, "later-for-ada", { notifyUsers: [{ userId: "ada" }] });
    await second.getByText("later-for-ada").waitFor();
    const locks = "navigator.locks.query().then(({ held }) => held.map(({ name }) => name))";
    const held = (await first.evaluate(locks)) as string[];
    const membersOf = (userId: string) => held.filter((name) => name.includes(`"sub":"${userId}"`));
    // Each tab holds a lock as a member, and one of each user as the leader.
    expect([membersOf("ada").length, membersOf("grace").length]).toEqual([2, 2]);
  });
});

async function openTabs(workspace: TestWorkspace) {
  const folder = await installReact();
  await workspace.call("/v2/workspace/domains/add", { domains: ["localhost"] });
  const url = servePage(await bundle(folder, PAGE));
  let context: BrowserContext | undefined;
  return async () => {
    const page = context ? await context.newPage() : await newPage();
    if (!context) {
      context = page.context();
      const opened = context;
      onTestFinished(() => opened.close());
      await context.exposeFunction("getToken", (userId: string) => tokenFor(workspace, userId));
    }
    await page.goto(url);
    const scope = JSON.stringify({ url: service.address, ...SCOPE });
    await page.evaluate(`import("/script.js").then(({ start }) => start(${scope}, "ada"))`);
    return page;
  };
}
