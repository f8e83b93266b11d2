import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { bundleSource, STYLESHEET } from "../source-script.ts";

const SCRIPT = `import ${JSON.stringify(join(import.meta.dirname, "page/page.tsx"))};`;
const PAGE = `<!doctype html><html lang="en"><title>Components</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/styles.css"><style>
:root { color-scheme: light dark; } body { margin: 0; background: light-dark(#f6f6f8, #121215);
font-family: system-ui, sans-serif; } main { max-width: 26rem; margin: auto; padding: 1rem; }
</style><body><script type="module" src="/stories.js"></script></body></html>`;

/** Picture that is attached to a comment. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="240"><rect width="480" height="240" fill="#dfe7f5"/>' +
  '<path d="M0 200L120 90l90 70 110-120 160 160v40H0z" fill="#7f9ad1"/>' +
  '<circle cx="390" cy="60" r="28" fill="#f4c95d"/></svg>';

/** Serves the page of all stories. Returns its address, and what ends it. */
export async function serveStories(): Promise<{ address: string; close: () => void }> {
  const files: Record<string, [type: string, content: string]> = {
    "/stories.js": ["text/javascript", await bundleSource(SCRIPT)],
    "/styles.css": ["text/css", readFileSync(STYLESHEET, "utf8")],
    "/picture": ["image/svg+xml", PICTURE],
  };
  const server = createServer(({ url = "" }, response) => {
    const [type, content] = files[url] ?? ["text/html", PAGE];
    response.setHeader("content-type", `${type}; charset=utf-8`);
    response.end(content);
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  return { address: `http://localhost:${port}/`, close: () => void server.close() };
}

/** What the page of the stories shows. Lists read from a service, as a user. */
export interface Story {
  story: string;
  language?: "en" | "de" | "ar";
  service?: { url: string; token: string; userId: string; documentId: string };
}

/** A picture: a story, and what the user does there. */
export interface Scene extends Story {
  act?: (page: Page) => Promise<unknown>;
}

const FILES = [
  { name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(120_000) },
  { name: "slow-recording.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(4_000_000) },
  { name: "fails.zip", mimeType: "application/zip", buffer: Buffer.alloc(900) },
];
const getField = (page: Page) => page.getByRole("textbox").last();

/** States of a thread and a composer to look at, and to check, by name. */
export const SCENES: Readonly<Record<string, Scene>> = {
  ...Object.fromEntries(
    [
      "thread",
      "resolved",
      "read-only",
      "long-names",
      "many",
      "empty",
      "quote",
      "detached",
      "pending",
      "composer",
      "disabled",
    ].map((story) => [story, { story }]),
  ),
  arabic: { story: "arabic", language: "ar" },
  "many-shown": { story: "many", act: (page) => page.getByRole("button", { name: /^Show/ }).click() },
  errors: {
    story: "errors",
    async act(page) {
      await getField(page).fill("This reply fails.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  menu: {
    story: "thread",
    act: openActions,
  },
  deletion: {
    story: "thread",
    async act(page) {
      await openActions(page);
      await page.getByRole("menuitem", { name: "Delete" }).click();
    },
  },
  editing: {
    story: "thread",
    async act(page) {
      await openActions(page);
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Edit" }).waitFor();
    },
  },
  formatting: {
    story: "composer",
    async act(page) {
      const field = getField(page);
      await field.click();
      await page.getByRole("button", { name: "Formatting" }).click();
      await page.getByRole("button", { name: "Bold" }).click();
      await field.pressSequentially("Due soon");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Bulleted list" }).click();
      await field.pressSequentially("one");
      await page.keyboard.press("Control+k");
    },
  },
  mention: {
    story: "composer",
    async act(page) {
      await getField(page).click();
      await getField(page).pressSequentially("Please look at this, @");
      await page.getByRole("option").first().waitFor();
    },
  },
  uploads: {
    story: "composer",
    async act(page) {
      await getField(page).fill("The plan is attached.");
      await page.locator("input[type=file]").setInputFiles(FILES);
      await page.getByRole("alert").waitFor();
    },
  },
  emojis: {
    story: "composer",
    async act(page) {
      await getField(page).click();
      await page.getByRole("button", { name: "Add emoji" }).click();
      await page.getByRole("gridcell").first().waitFor();
    },
  },
};

/** States of the data of a list. */
export type ListState = "loaded" | "empty" | "loading" | "failed";

/** What to do with a list before it is checked or pictured, by the name of its story. */
export const LISTS: Readonly<Record<string, (page: Page, state: ListState) => Promise<unknown>>> = {
  avatars: (page, state) => waitFor(page, state, ".colloquy-avatar"),
  feed: (page, state) => waitFor(page, state, ".colloquy-activity"),
  inbox: (page, state) => waitFor(page, state, ".colloquy-notification"),
  async threads(page, state) {
    await waitFor(page, state, ".colloquy-entry");
    if (state === "loaded") await page.locator(".colloquy-summary").nth(1).click();
  },
  async pins(page, state) {
    await page.locator("#board").waitFor();
    if (state === "loaded") await page.locator(".colloquy-pin").first().click();
  },
  async versions(page, state) {
    await waitFor(page, state, ".colloquy-version");
    if (state !== "loaded") return;
    await page.getByRole("button", { name: "Approved" }).click();
    await page.locator("ins").first().waitFor();
  },
  preferences: (page, state) => waitFor(page, state, "table"),
  cursors: (page) => page.locator("#board").waitFor(),
  async "inbox-button"(page, state) {
    await page.getByRole("button").first().click();
    await waitFor(page, state, ".colloquy-notification");
  },
};

/** Opens the menu of the first comment. */
function openActions(page: Page): Promise<void> {
  return page
    .getByRole("button", { name: /^Actions/ })
    .first()
    .click();
}

/** Waits for what a component shows in a state. */
async function waitFor(page: Page, state: ListState, loaded: string): Promise<void> {
  const isReady = { loaded, empty: "[aria-busy=false]", loading: "[aria-busy=true]", failed: "[role=alert]" };
  await page.locator(isReady[state]).first().waitFor({ state: "attached" });
}

/** Shows a story in a page. */
export async function showStory(page: Page, address: string, { service, ...story }: Story): Promise<void> {
  await page.goto(`${address}?${new URLSearchParams({ ...story, ...service })}`);
  await page.locator("main > *").nth(1).waitFor({ state: "attached" });
}

/** Shows a scene in a page. */
export async function showScene(page: Page, address: string, { act, ...story }: Scene): Promise<void> {
  await showStory(page, address, story);
  // A page with a service follows an event stream, which does not end.
  if (!story.service) await page.waitForLoadState("networkidle");
  await act?.(page);
}
