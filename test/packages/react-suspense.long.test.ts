import { expect, onTestFinished, test } from "vitest";
import { addAnnotations, comment } from "../comments.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { tokenFor } from "../user-tokens.ts";
import { bundle, runScript, servePage } from "./packed.ts";
import { FAILED, installReact } from "./react-page.ts";

const service = await startTestService();

/** A page that a server has rendered, and one whose components suspend. */
const PAGE = `
import { createClient } from "@colloquy/client";
import { ColloquyProvider, useInbox, useThreads } from "@colloquy/react";
import { ErrorBoundary, useInbox as useLoadedInbox, useThreads as useLoadedThreads } from "@colloquy/react/suspense";
import { Devtools } from "@colloquy/react/devtools";
import { createElement as h, Suspense } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

const client = (url) => createClient({ url, getUserToken: () => window.getToken("ada") });
const toTexts = (threads) => threads.data.flatMap(({ comments }) => comments.map((each) => each.commentText));

function Shown() {
  const [inbox, threads] = [useInbox(), useThreads({ documentId: "contract-7" })];
  return h("p", null, [inbox.unreadCount + " unread", ...toTexts(threads)].join(", "));
}

function Loaded() {
  const [inbox, threads] = [useLoadedInbox(), useLoadedThreads({ documentId: "contract-7" })];
  return h("p", null, [inbox.unreadCount + " unread", ...toTexts(threads)].join(", "));
}

export function hydrate(url, html, initialData) {
  window.errors = [];
  const root = document.getElementById("root");
  root.innerHTML = html;
  const session = { client: client(url), organizationId: "acme", userId: "ada", initialData };
  hydrateRoot(root, h(ColloquyProvider, session, h(Shown)), {
    onRecoverableError: (error) => window.errors.push(String(error)),
  });
}

export function suspend(url) {
  window.fallbacks = 0;
  const session = { client: client(url), organizationId: "acme", userId: "ada" };
  const fallback = ({ error, retry }) => h("button", { onClick: retry }, "Retry: " + error.message);
  createRoot(document.getElementById("root")).render(
    h(ColloquyProvider, session,
      h(Devtools),
      h(ErrorBoundary, { fallback }, h(Suspense, { fallback: h("p", null, "Waiting") }, h(Loaded)))));
}
`;

/** A server that reads the data of a user, and renders the same component. Prints both. */
const SERVER = `
import { createClient } from "@colloquy/client";
import { inboxStore, readInitialData, threadsStore } from "@colloquy/client/stores";
import { ColloquyProvider, useInbox, useThreads } from "@colloquy/react";
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";

const [url, token] = process.argv.slice(2);
const session = { client: createClient({ url, getUserToken: () => token }), organizationId: "acme", userId: "ada" };
const initialData = await readInitialData(session, (own) => [
  threadsStore(own, { documentId: "contract-7" }),
  inboxStore(own),
]);

function Shown() {
  const [inbox, threads] = [useInbox(), useThreads({ documentId: "contract-7" })];
  const texts = threads.data.flatMap(({ comments }) => comments.map((each) => each.commentText));
  return h("p", null, [inbox.unreadCount + " unread", ...texts].join(", "));
}

const rendering = { ...session, client: createClient({ url, getUserToken: () => "unused" }), initialData };
console.log(JSON.stringify({ initialData, html: renderToString(h(ColloquyProvider, rendering, h(Shown))) }));
`;

async function prepare() {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ commentText: "first" })] }]);
  await addNotification(workspace, "one", { notifyUsers: [{ userId: "ada" }] });
  await workspace.call("/v2/workspace/domains/add", { domains: ["localhost"] });
  const page = await newPage();
  onTestFinished(() => page.context().close());
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.exposeFunction("getToken", (userId: string) => tokenFor(workspace, userId));
  await page.goto(servePage(await bundle(await installReact(), PAGE, "development")));
  const run = (call: string) => page.evaluate(`import("/script.js").then((exported) => exported.${call})`);
  return { workspace, page, problems, run };
}

describeInBrowser("rendering", () => {
  test("a page that a server has rendered is hydrated without a difference, and is live then", async () => {
    const { workspace, page, problems, run } = await prepare();
    const token = await tokenFor(workspace, "ada");
    const { initialData, html } = JSON.parse(await runScript(await installReact(), SERVER, service.address, token));
    expect(html).toBe("<p>1 unread, first</p>");

    await run(`hydrate(${JSON.stringify(service.address)}, ${JSON.stringify(html)}, ${JSON.stringify(initialData)})`);
    await page.getByText("1 unread, first", { exact: true }).waitFor();
    await addAnnotations(workspace, [{ annotationId: "b", commentData: [comment({ commentText: "second" })] }]);
    await page.getByText("1 unread, second, first", { exact: true }).waitFor();
    expect(await page.evaluate("errors")).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("a component that suspends waits for its data, and an error boundary reads it again", async () => {
    const { workspace, page, run } = await prepare();
    await page.route("**/v2/commentannotations/get", (route) => route.fulfill(FAILED), { times: 1 });
    await run(`suspend(${JSON.stringify(service.address)})`);
    await page.getByText("Waiting").waitFor();
    await page.getByRole("button", { name: "Colloquy devtools" }).click();
    const devtools = page.getByRole("region", { name: "Colloquy devtools" });
    await devtools.getByText(/commentannotations\/get 500 \d+ ms/).waitFor();
    await page.getByRole("button", { name: "Retry: It fails." }).click();
    await page.getByText("1 unread, first", { exact: true }).waitFor();
    await devtools.getByText('"status":"open"').first().waitFor();
    await devtools.getByText('["acme","ada","threads","contract-7",null,null]').waitFor();
    await addAnnotations(workspace, [{ annotationId: "b", commentData: [comment({ commentText: "second" })] }]);
    await page.getByText("1 unread, second, first", { exact: true }).waitFor();
  });
});
