import type { BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { newPage } from "../../console/browser.ts";
import type { TestWorkspace } from "../../harness.ts";
import { tokenFor } from "../../user-tokens.ts";
import { FAILED } from "../react-page.ts";
import { type ListState, type Scene, serveStories, showScene, showStory } from "./stories.ts";
import { DOCUMENT_ID, VIEWER } from "./users.ts";

/** A page of the stories, until the end of the test. */
interface StoryPage {
  page: Page;
  address: string;
  /** What the page has reported. */
  problems: string[];
}

async function openPage(options: BrowserContextOptions): Promise<StoryPage> {
  const { address, close } = await serveStories();
  onTestFinished(close);
  const page = await newPage(options);
  onTestFinished(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() !== "info" && problems.push(message.text()));
  return { page, address, problems };
}

/** Opens a scene. */
export async function openScene(scene: Scene, options: BrowserContextOptions = {}): Promise<StoryPage> {
  const opened = await openPage(options);
  await showScene(opened.page, opened.address, scene);
  return opened;
}

interface ListOptions {
  /** Address of the service. */
  address: string;
  workspace: TestWorkspace;
  story: string;
  state?: ListState;
  language?: "en" | "de" | "ar";
  /** User who sees the list; `ada` by default, and nobody known in the state `empty`. */
  userId?: string;
  /** What the token of the user grants. */
  resources?: NonNullable<Parameters<typeof tokenFor>[2]>["resources"];
  context?: BrowserContextOptions;
}

/** Opens a list with the seeded data, or in another state. */
export async function openList(options: ListOptions): Promise<Page> {
  const { address, workspace, story, state = "loaded", language = "en", context, resources } = options;
  const { userId = state === "empty" ? "nobody" : VIEWER } = options;
  const { page, ...opened } = await openPage({ colorScheme: "light", ...context });
  page.on("pageerror", (error) => {
    throw error;
  });
  if (state === "loading") await page.route(`${address}/v2/*/**`, () => {});
  if (state === "failed") await page.route(`${address}/v2/*/**`, (route) => route.fulfill(FAILED));
  const token = await tokenFor(workspace, userId, { ...(resources && { resources }) });
  const service = { url: address, token, userId, documentId: state === "empty" ? "empty" : DOCUMENT_ID };
  await showStory(page, opened.address, { story, language, service });
  return page;
}
