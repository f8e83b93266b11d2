/** `npm run screenshots -- components` takes pictures of the components, in `screenshots/`, which Git ignores. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@colloquy/client";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { requireChromium } from "../../console/chromium.ts";
import { startPicturedService } from "../../console/pictured-service.ts";
import { seed, type Workspace } from "./seed.ts";
import { LISTS, SCENES, type Scene, serveStories, showScene } from "./stories.ts";
import { DOCUMENT_ID, ORGANIZATION_ID, VIEWER } from "./users.ts";

const FOLDER = join(import.meta.dirname, "../../../screenshots");
const WINDOW = { viewport: { width: 480, height: 720 } };
/** Devices and preferences of users, and the scenes that are pictured with them; all by default. */
const VARIANTS: Readonly<Record<string, { options: BrowserContextOptions; scenes?: string[]; isTouched?: boolean }>> = {
  light: { options: { ...WINDOW, colorScheme: "light" } },
  dark: { options: { ...WINDOW, colorScheme: "dark" } },
  phone: {
    options: { viewport: { width: 390, height: 720 }, hasTouch: true, isMobile: true, colorScheme: "light" },
    scenes: ["thread", "arabic", "formatting", "uploads", "mention", "emojis", "deletion"],
    isTouched: true,
  },
  // Pictures of docs/react.md.
  docs: {
    options: { viewport: { width: 480, height: 350 }, colorScheme: "light" },
    scenes: ["threads", "pins", "versions", "feed", "preferences"],
  },
  contrast: { options: { ...WINDOW, contrast: "more" }, scenes: ["thread", "formatting"] },
  forced: { options: { ...WINDOW, forcedColors: "active" }, scenes: ["thread", "formatting", "menu"] },
};

const wanted = process.argv.slice(3);
await mkdir(FOLDER, { recursive: true });
const stories = await serveStories();
const service = await startPicturedService();
const backend = createClient(service.credentials);
await backend.call("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "public" });
const workspace: Workspace = { data: async (path, data) => (await backend.call(path, data)).data };
await seed(workspace);
const { token } = await workspace.data("/v2/auth/generate_token", {
  ...{ userId: VIEWER, userProperties: { name: "Ada Lovelace" } },
  permissions: { resources: [{ type: "organization", id: ORGANIZATION_ID }] },
});
const viewer = { url: service.address, token, userId: VIEWER, documentId: DOCUMENT_ID };
const lists = Object.entries(LISTS).map(([story, getReady]) => {
  return [story, { story, service: viewer, act: (page: Page) => getReady(page, "loaded") }] as const;
});
const scenesByName: Readonly<Record<string, Scene>> = { ...SCENES, ...Object.fromEntries(lists) };
/** Settings by which Chromium has a touch screen as its only pointer, which Playwright does not emulate. */
const TOUCH = "primaryPointerType=2,availablePointerTypes=2,primaryHoverType=1,availableHoverTypes=1";
const executablePath = requireChromium();
const browsers = {
  mouse: await chromium.launch({ executablePath }),
  touch: await chromium.launch({ executablePath, args: [`--blink-settings=${TOUCH}`] }),
};
try {
  for (const [variant, { options, scenes = Object.keys(scenesByName), isTouched }] of Object.entries(VARIANTS)) {
    const browser = isTouched ? browsers.touch : browsers.mouse;
    for (const name of scenes) {
      const scene = scenesByName[name];
      const file = `${variant}-${name}.png`;
      if (!scene || (wanted.length > 0 && !wanted.some((each) => file.includes(each)))) continue;
      // A context has the drafts of its scene only.
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on("pageerror", (error) => console.error(file, error));
      page.on("console", (message) => message.type() !== "info" && console.error(file, message.text()));
      await showScene(page, stories.address, scene);
      await page.screenshot({ path: join(FOLDER, file), animations: "disabled", fullPage: name !== "many-shown" });
      await context.close();
    }
  }
} finally {
  for (const browser of Object.values(browsers)) await browser.close();
  stories.close();
  await service.stop();
}
