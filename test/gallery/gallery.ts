import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build, defaultClientConditions } from "vite";

const PACKAGE = join(import.meta.dirname, "../../packages/react");
const STYLES = join(PACKAGE, "styles.css");
const PAGE = `<!doctype html><html lang="en"><title>Components</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/styles.css"><style>
:root { color-scheme: light dark; } body { margin: 0; background: light-dark(#f6f6f8, #121215);
font-family: system-ui, sans-serif; } main { max-width: 26rem; margin: auto; padding: 1rem; }
</style><body><script type="module" src="/gallery.js"></script></body></html>`;

/** Picture that is attached to a comment. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="240"><rect width="480" height="240" fill="#dfe7f5"/>' +
  '<path d="M0 200L120 90l90 70 110-120 160 160v40H0z" fill="#7f9ad1"/>' +
  '<circle cx="390" cy="60" r="28" fill="#f4c95d"/></svg>';

/** Builds a page that shows states of the components, and serves it. Returns its address, and what ends it. */
export async function serveGallery(): Promise<{ address: string; close: () => void }> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"development"' },
    resolve: { conditions: ["@colloquy/source", ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(PACKAGE, "gallery/page.tsx"), formats: ["es"], fileName: "gallery" },
    },
  });
  const outputs = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
  const scripts = new Map(outputs.map((each) => [`/${each.fileName}`, "code" in each ? each.code : ""]));
  const server = createServer(({ url = "" }, response) => {
    const files: Record<string, [type: string, content: string]> = {
      "/styles.css": ["text/css", readFileSync(STYLES, "utf8")],
      "/picture": ["image/svg+xml", PICTURE],
    };
    const script = scripts.get(url);
    const [type, content] = script === undefined ? (files[url] ?? ["text/html", PAGE]) : ["text/javascript", script];
    response.setHeader("content-type", `${type}; charset=utf-8`);
    response.end(content);
  }).listen(0);
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  return { address: `http://localhost:${port}/`, close: () => void server.close() };
}

/** A picture: the state of the components, and what the user does there. */
export interface Scene {
  state: string;
  language?: "ar";
  act?: (page: Page) => Promise<unknown>;
}

const FILES = [
  { name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(120_000) },
  { name: "slow-recording.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(4_000_000) },
  { name: "fails.zip", mimeType: "application/zip", buffer: Buffer.alloc(900) },
];
const getField = (page: Page) => page.getByRole("textbox").last();

/** States of the components to look at, and to check, by name. */
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
    ].map((state) => [state, { state }]),
  ),
  arabic: { state: "arabic", language: "ar" },
  "many-shown": { state: "many", act: (page) => page.getByRole("button", { name: /^Show/ }).click() },
  errors: {
    state: "errors",
    async act(page) {
      await getField(page).fill("This reply fails.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  menu: {
    state: "thread",
    act: (page) =>
      page
        .getByRole("button", { name: /^Actions/ })
        .first()
        .click(),
  },
  deletion: {
    state: "thread",
    async act(page) {
      await page
        .getByRole("button", { name: /^Actions/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
    },
  },
  editing: {
    state: "thread",
    async act(page) {
      await page
        .getByRole("button", { name: /^Actions/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Edit" }).waitFor();
    },
  },
  formatting: {
    state: "composer",
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
    state: "composer",
    async act(page) {
      await getField(page).click();
      await getField(page).pressSequentially("Please look at this, @");
      await page.getByRole("option").first().waitFor();
    },
  },
  uploads: {
    state: "composer",
    async act(page) {
      await getField(page).fill("The plan is attached.");
      await page.locator("input[type=file]").setInputFiles(FILES);
      await page.getByRole("alert").waitFor();
    },
  },
  emojis: {
    state: "composer",
    async act(page) {
      await getField(page).click();
      await page.getByRole("button", { name: "Add emoji" }).click();
      await page.getByRole("gridcell").first().waitFor();
    },
  },
};

/** Opens a scene in a page. */
export async function openScene(page: Page, address: string, { state, language, act }: Scene): Promise<void> {
  await page.goto(`${address}?${new URLSearchParams({ state, ...(language && { language }) })}`);
  await page.locator("main > *").nth(1).waitFor();
  await page.waitForLoadState("networkidle");
  await act?.(page);
}
