import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { expect, test } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../crdt.ts";
import { eventually } from "../eventually.ts";
import { startTestService, TestWorkspace } from "../harness.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { longTest } from "../sizes.ts";
import { documentName, openSyncedPage } from "../sync.ts";
import { typeBesideCaret } from "../typing.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const second = await service.secondProcess();
/** The name under which Tiptap keeps its content in a Yjs document. */
const CONTENT = { type: "xml" as const, contentKey: "default" };
/** What a user types while offline. */
const OFFLINE_TEXT = " and three".repeat(20);

/** Host to which that page connects. */
const HOST_IN_DOCS = "wss://colloquy.example.com";
const DOCS = join(import.meta.dirname, "../../docs/document-sync.md");
const EDITOR_OF_DOCS = { ...COLLABORATIVE_DOCUMENT, editorId: "body" };

/** Task lists, which the starter kit of the page has not. */
const TASKS = 'import { TaskItem, TaskList } from "@tiptap/extension-list";';

/** Script of the page in the documentation, with the packages that it imports. */
let script: Promise<string> | undefined;

async function bundlePage(): Promise<string> {
  const page = /```js\n(import .*?)```/s.exec(await readFile(DOCS, "utf8"))?.[1] ?? "";
  const code = page.replace("StarterKit.configure", "TaskList, TaskItem, StarterKit.configure");
  const id = join(import.meta.dirname, "tiptap-page.js");
  const built = await build({
    ...{
      configFile: false,
      logLevel: "error",
      plugins: [
        {
          name: "page",
          resolveId: (path) => (path === id ? id : null),
          load: (path) => (path === id ? TASKS + code : null),
        },
      ],
    },
    build: { write: false, lib: { entry: id, formats: ["es"] } },
  });
  const [output] = [built].flat();
  const [chunk] = output && "output" in output ? output.output : [];
  const text = chunk && "code" in chunk ? chunk.code : "";
  expect(text).toContain(HOST_IN_DOCS);
  return text;
}

/** Returns the script of a page that connects to this address. */
async function scriptFor(address: string): Promise<string> {
  script ??= bundlePage();
  return (await script).replaceAll(HOST_IN_DOCS, address.replace("http", "ws"));
}

/** Serves the page on loopback, and the token of its user as a backend would. Returns its address. */
async function servePage(script: string, token: string): Promise<string> {
  const html = `<!doctype html><title>Contract</title><p id="status"></p><div id="editor"></div>
    <script type="module" src="/page.js"></script>`;
  const files = new Map([
    ["/page.js", { type: "text/javascript", content: script }],
    ["/token", { type: "text/plain", content: token }],
  ]);
  const server = createServer((request, response) => {
    const { type, content } = files.get(request.url ?? "") ?? { type: "text/html", content: html };
    response.writeHead(200, { "content-type": type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  registerCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens the editor in a browser, as a user at a process of the service. */
async function openTiptap(
  workspace: TestWorkspace,
  user: string,
  { address }: { address: string },
  options: Parameters<typeof tokenFor>[2] = {},
): Promise<Page> {
  const page = await newPage();
  registerCleanup(() => page.context().close());
  await page.goto(await servePage(await scriptFor(address), await tokenFor(workspace, user, options)));
  // What is typed before the content is there would be a paragraph of its own.
  await page.locator("#editor p").getByText("one").waitFor();
  return page;
}

async function isSaved(page: Page): Promise<void> {
  await page.locator("#status").getByText("Saved").waitFor();
}

/** Types at the end of the editor, key by key. */
async function type(page: Page, text: string): Promise<void> {
  await goToEnd(page);
  await page.keyboard.type(text);
}

async function goToEnd(page: Page): Promise<void> {
  await page.locator("#editor [contenteditable=true]").click();
  await page.keyboard.press("Control+End");
}

/** Returns the text of each paragraph, without the carets of others. */
function getParagraphs(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("#editor p")].map((paragraph) => {
    const copy = paragraph.cloneNode(true);
    for (const caret of copy.querySelectorAll("[class*=caret]")) caret.remove();
    return copy.textContent.replaceAll("\\u2060", "");
  })`);
}

/** Returns the text of the paragraph before the caret of another user; null if none is shown. */
function getTextBeforeCaret(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(`(() => {
    const caret = document.querySelector("#editor p .collaboration-carets__caret");
    if (!caret) return null;
    const range = new Range();
    range.setStart(caret.closest("p"), 0);
    range.setEndBefore(caret);
    return range.toString().replaceAll("\\u2060", "");
  })()`);
}

describeInBrowser("a Tiptap editor", () => {
  async function workspaceWithText(data: string): Promise<TestWorkspace> {
    const workspace = await service.workspace();
    await workspace.data("/v2/workspace/domains/add", { domains: ["127.0.0.1"] });
    await addContent(workspace, { ...EDITOR_OF_DOCS, ...CONTENT, data });
    return workspace;
  }

  test("shows what others type at another process, in a provider and by the API, and their carets", async () => {
    const workspace = await workspaceWithText("<paragraph>one</paragraph>");
    const ada = await openTiptap(workspace, "ada", service);
    const grace = await openTiptap(workspace, "grace", second);
    await expect.poll(() => getParagraphs(ada)).toEqual(["one"]);
    await type(ada, " two");
    await expect.poll(() => getParagraphs(grace)).toEqual(["one two"]);
    await expect.poll(() => getTextBeforeCaret(grace)).toBe("one two");
    await grace.locator(".collaboration-carets__label").getByText("Ada").waitFor();
    await goToEnd(grace);
    await typeBesideCaret(grace, " three", async () => (await getParagraphs(grace)).join().slice("one two".length));
    await isSaved(grace);
    const node = await openSyncedPage(service.address, {
      token: await tokenFor(workspace, "linus"),
      name: documentName(EDITOR_OF_DOCS),
    });
    await eventually(() =>
      expect(node.document.getXmlFragment("default").toString()).toBe("<paragraph>one two three</paragraph>"),
    );
    const { data } = await readContent(workspace, { editorId: EDITOR_OF_DOCS.editorId });
    await updateContent(workspace, { ...EDITOR_OF_DOCS, ...CONTENT, data: `${data}<paragraph>four</paragraph>` });
    for (const page of [ada, grace]) {
      await expect.poll(() => getParagraphs(page)).toEqual(["one two three", "four"]);
    }
  });

  test("lets viewers see what others type, and type nothing", async () => {
    const workspace = await workspaceWithText("<paragraph>one</paragraph>");
    await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
    const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
    const grace = await openTiptap(workspace, "grace", service, { resources });
    const ada = await openTiptap(workspace, "ada", service);
    await type(ada, " two");
    await expect.poll(() => getParagraphs(grace)).toEqual(["one two"]);
    await grace.locator("#editor .tiptap").click();
    await grace.keyboard.type("lost");
    expect(await getParagraphs(grace)).toEqual(["one two"]);
    await isSaved(grace);
  });

  test("shows headings and tasks as a backend writes them, and as a copy of them has them", async () => {
    const task = '<taskItem json:checked="false"><paragraph>task</paragraph></taskItem>';
    const heading = '<heading json:level="2">Two</heading>';
    const workspace = await workspaceWithText(`${heading}<taskList>${task}</taskList><paragraph>one</paragraph>`);
    const ada = await openTiptap(workspace, "ada", service);
    const isShown = async (page: Page) => {
      await page.locator("#editor h2").getByText("Two").waitFor();
      expect(await page.locator("#editor input[type=checkbox]").isChecked()).toBe(false);
    };
    await isShown(ada);
    await type(ada, " two");
    await isSaved(ada);
    const { data } = await readContent(workspace, { editorId: EDITOR_OF_DOCS.editorId });
    const ref = { organizationId: EDITOR_OF_DOCS.organizationId, documentId: EDITOR_OF_DOCS.documentId };
    await workspace.result("/v2/crdt/delete", { ...ref, editorIds: [EDITOR_OF_DOCS.editorId] });
    await addContent(workspace, { ...EDITOR_OF_DOCS, ...CONTENT, data });
    await isShown(await openTiptap(workspace, "grace", service));
  });

  test("shows the caret of a user whose page comes back from the cache of the browser", async () => {
    const workspace = await workspaceWithText("<paragraph>one</paragraph>");
    const [ada, grace] = [await openTiptap(workspace, "ada", service), await openTiptap(workspace, "grace", service)];
    await goToEnd(ada);
    const carets = grace.locator(".collaboration-carets__label");
    for (const [event, count] of [
      ["pageshow", 1],
      ["pagehide", 0],
      ["pageshow", 1],
    ] as const) {
      await ada.evaluate(`dispatchEvent(new PageTransitionEvent("${event}", { persisted: true }))`);
      await expect.poll(() => carets.count(), { timeout: 8_000 }).toBe(count);
    }
  });

  longTest("loses nothing that was saved before a kill -9 of the service, also of what was typed offline", async () => {
    const credentials = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
    const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
    const start = (port: string) =>
      new ServiceProcess({
        ...{ DATA_DIR: dataDir, PORT: port },
        ...{ BOOTSTRAP_API_KEY: credentials.apiKey, BOOTSTRAP_AUTH_TOKEN: credentials.authToken },
      });
    const killed = start("0");
    const address = await killed.address();
    const workspace = new TestWorkspace(address, { workspaceId: "", ...credentials });
    await workspace.data("/v2/workspace/domains/add", { domains: ["127.0.0.1"] });
    await addContent(workspace, { ...EDITOR_OF_DOCS, ...CONTENT, data: "<paragraph>one</paragraph>" });
    const page = await openTiptap(workspace, "ada", { address });
    await type(page, " two");
    await isSaved(page);
    await killed.terminate("SIGKILL");
    await type(page, OFFLINE_TEXT);
    const restarted = start(new URL(address).port);
    await restarted.address();
    await isSaved(page);
    await restarted.terminate("SIGKILL");
    expect(await getParagraphs(page)).toEqual([`one two${OFFLINE_TEXT}`]);
    await page.close();
    await start(new URL(address).port).address();
    const { data } = await readContent(workspace, { editorId: EDITOR_OF_DOCS.editorId });
    expect(data).toBe(`<paragraph>one two${OFFLINE_TEXT}</paragraph>`);
  });
});
