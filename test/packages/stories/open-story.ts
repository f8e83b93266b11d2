import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { BrowserContextOptions, Page } from "playwright-core";
import { build, defaultClientConditions } from "vite";
import { onTestFinished } from "vitest";
import { newPage } from "../../console/browser.ts";
import type { TestWorkspace } from "../../harness.ts";
import { tokenFor } from "../../user-tokens.ts";
import { servePage } from "../packed.ts";
import { FAILED } from "../react-page.ts";
import { DOCUMENT_ID, ORGANIZATION_ID, USERS, VIEWER } from "./seed.ts";

const STYLES = readFileSync(join(import.meta.dirname, "../../../packages/react/styles.css"), "utf8");
const PAGE_STYLES = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
  body { margin: 0; padding: 24px; background: light-dark(#f6f6f8, #121216); }
  #root { max-width: 420px; padding: 16px; border-radius: 12px; background: light-dark(#ffffff, #1b1b20); }
  .story-title { position: absolute; clip-path: inset(50%); }
`;

/** States of the data of a story. */
export type StoryState = "loaded" | "empty" | "loading" | "failed";

/** What to do with a story before it is checked or pictured, by its name. */
export const STORIES: Record<string, { ready: (page: Page, state: StoryState) => Promise<unknown> }> = {
  avatars: { ready: (page, state) => waitFor(page, state, ".colloquy-avatar") },
  feed: { ready: (page, state) => waitFor(page, state, ".colloquy-activity") },
  inbox: { ready: (page, state) => waitFor(page, state, ".colloquy-notification") },
  threads: {
    async ready(page, state) {
      await waitFor(page, state, ".colloquy-entry");
      if (state === "loaded") await page.locator(".colloquy-summary").nth(1).click();
    },
  },
  pins: {
    async ready(page, state) {
      await page.locator("#board").waitFor();
      if (state === "loaded") await page.locator(".colloquy-pin").first().click();
    },
  },
  preferences: { ready: (page, state) => waitFor(page, state, "table") },
  cursors: { ready: (page) => page.locator("#board").waitFor() },
  "inbox-button": {
    async ready(page, state) {
      await page.getByRole("button").first().click();
      await waitFor(page, state, ".colloquy-notification");
    },
  },
};

/** Waits for what a component shows in a state. */
async function waitFor(page: Page, state: StoryState, loaded: string): Promise<void> {
  const isReady = { loaded, empty: "[aria-busy=false]", loading: "[aria-busy=true]", failed: "[role=alert]" };
  await page.locator(isReady[state]).first().waitFor({ state: "attached" });
}

interface StoryOptions {
  address: string;
  workspace: TestWorkspace;
  story: string;
  state?: StoryState;
  language?: "en" | "de" | "ar";
  /** User who sees the story; `ada` by default, and nobody known in the state `empty`. */
  userId?: string;
  /** What the token of the user grants. */
  resources?: NonNullable<Parameters<typeof tokenFor>[2]>["resources"];
  context?: BrowserContextOptions;
}

/** Opens a page that shows a component with the seeded data, or in another state. */
export async function openStory(options: StoryOptions): Promise<Page> {
  const { address, workspace, story, state = "loaded", language = "en", context, resources } = options;
  const { userId = state === "empty" ? "nobody" : VIEWER } = options;
  const page = await newPage({ colorScheme: "light", ...context });
  onTestFinished(() => page.context().close());
  page.on("pageerror", (error) => {
    throw error;
  });
  if (state === "loading") await page.route(`${address}/v2/*/**`, () => {});
  if (state === "failed") await page.route(`${address}/v2/*/**`, (route) => route.fulfill(FAILED));
  script ??= bundleStories();
  await page.goto(servePage(await script));
  await page.addStyleTag({ content: STYLES + PAGE_STYLES });
  const shown = {
    ...{
      story,
      language,
      userId,
      users: USERS,
      url: address,
      token: await tokenFor(workspace, userId, { ...(resources && { resources }) }),
    },
    ...{ organizationId: ORGANIZATION_ID, documentId: state === "empty" ? "empty" : DOCUMENT_ID },
  };
  await page.evaluate(`import("/script.js").then(({ show }) => show(${JSON.stringify(shown)}))`);
  return page;
}

/** The script of the page, bundled once for a worker. */
let script: Promise<string> | undefined;

async function bundleStories(): Promise<string> {
  const built = await build({
    root: join(import.meta.dirname, "page"),
    configFile: false,
    logLevel: "error",
    plugins: [react()],
    define: { "process.env.NODE_ENV": '"development"' },
    resolve: { conditions: ["@colloquy/source", ...defaultClientConditions] },
    build: {
      ...{ write: false, minify: false, rolldownOptions: { output: { codeSplitting: false } } },
      lib: { entry: "stories.tsx", formats: ["es"], fileName: "stories" },
    },
  });
  const [output] = [built].flat();
  const [chunk] = output && "output" in output ? output.output : [];
  if (chunk?.type !== "chunk") throw new Error("The stories were not built into a script.");
  return chunk.code;
}
