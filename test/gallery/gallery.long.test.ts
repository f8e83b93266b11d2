import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { accessibilityViolations } from "../packages/react-page.ts";
import { openScene, SCENES, type Scene, serveGallery } from "./gallery.ts";

let gallery: Awaited<ReturnType<typeof serveGallery>>;

/** Opens a scene, with what the page has reported. */
async function open(scene: Scene, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const page = await newPage(options);
  onTestFinished(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() !== "info" && problems.push(message.text()));
  await openScene(page, gallery.address, scene);
  return { page, problems };
}

describeInBrowser("components", () => {
  beforeAll(async () => {
    gallery = await serveGallery();
  });
  afterAll(() => gallery.close());

  test.each(Object.entries(SCENES))(
    "%s has no accessibility violation and no error, light and dark",
    async (_, scene) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, problems } = await open(scene, { colorScheme });
        expect({ colorScheme, violations: await accessibilityViolations(page), problems }).toEqual({
          ...{ colorScheme, violations: [], problems: [] },
        });
      }
    },
  );

  test.each(["thread", "long-names", "many", "quote", "arabic", "uploads"])("%s fits on a phone", async (name) => {
    const { page } = await open(SCENES[name] ?? { state: name }, { viewport: { width: 320, height: 640 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  test("a thread runs and loads nothing of hostile comments, and opens no dangerous address", async () => {
    const { page, problems } = await open({ state: "hostile" });
    await page.getByText("deep").waitFor();
    await page.locator(".colloquy-thread").click();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await page.locator(".colloquy-text").locator("img, iframe, script, svg").count()).toBe(0);
    const addresses = await page
      .locator(".colloquy-thread a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(addresses).toEqual(["https://example.com/a_(b)"]);
    expect(await page.locator(".colloquy-mention").allInnerTexts()).toEqual(["@(.*"]);
    await page.getByText("<b>bold</b>").waitFor();
    expect(problems).toEqual([]);
  });
});
