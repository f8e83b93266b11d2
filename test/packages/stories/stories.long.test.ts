import { expect, test } from "vitest";
import { describeInBrowser } from "../../console/visitor.ts";
import { startTestService } from "../../harness.ts";
import { accessibilityViolations } from "../react-page.ts";
import { openList, openScene } from "./open-story.ts";
import { seed } from "./seed.ts";
import { LISTS, type ListState, SCENES } from "./stories.ts";

const LOOKS = [
  { language: "en", colorScheme: "light" },
  { language: "en", colorScheme: "dark" },
  { language: "ar", colorScheme: "light" },
] as const;
const STATES: readonly ListState[] = ["loaded", "empty", "loading", "failed"];

const service = await startTestService();
const workspace = await service.publicWorkspace();
await seed(workspace);

/** Script that returns the sections without a heading of their own, and those whose name is another one. */
const UNNAMED_SECTIONS = `[...document.querySelectorAll("section")].filter((section) => {
  const heading = document.getElementById(section.getAttribute("aria-labelledby"));
  return !section.contains(heading) || !/^H[1-6]$/.test(heading.tagName);
}).length`;

/** Lists and scenes with all kinds of controls. */
const TOUCHED = {
  ...{ inbox: LISTS.inbox, pins: LISTS.pins, threads: LISTS.threads, versions: LISTS.versions },
  ...{ thread: undefined, emojis: undefined },
};
/** Script that returns the controls, except for links in a text, that are smaller than 44 pixels. */
const SMALL_TARGETS = `[...document.querySelectorAll("button:not([data-variant=link]), select, [role=tab]")]
  .filter((control) => control.checkVisibility() && !control.matches(".colloquy-item-text"))
  .filter((control) => {
    const sizes = [control.getBoundingClientRect(), getComputedStyle(control, "::before")];
    return !["width", "height"].every((name) => sizes.some((size) => parseFloat(size[name]) >= 44));
  })
  .map((control) => control.getAttribute("aria-label") ?? control.textContent)`;

describeInBrowser("components", () => {
  test.each(Object.entries(LISTS))(
    "%s have no accessibility violation in any state and look",
    async (story, getReady) => {
      for (const { language, colorScheme } of LOOKS) {
        for (const state of STATES) {
          const page = await openList({
            ...{ address: service.address, workspace, story, state, language, context: { colorScheme } },
          });
          await getReady(page, state);
          const violations = await accessibilityViolations(page);
          const unnamedSections = await page.evaluate(UNNAMED_SECTIONS);
          await page.context().close();
          const look = { state, language, colorScheme };
          expect
            .soft({ ...look, violations, unnamedSections })
            .toEqual({ ...look, violations: [], unnamedSections: 0 });
        }
      }
    },
  );

  test.each(Object.entries(SCENES))(
    "%s has no accessibility violation and no error, light and dark",
    async (_, scene) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, problems } = await openScene(scene, { colorScheme });
        expect({ colorScheme, violations: await accessibilityViolations(page), problems }).toEqual({
          ...{ colorScheme, violations: [], problems: [] },
        });
      }
    },
  );

  test.each(Object.entries(TOUCHED))("%s has targets of 44 pixels on a touch screen", async (story, getReady) => {
    const context = { viewport: { width: 390, height: 720 }, hasTouch: true, isMobile: true };
    const scene = SCENES[story];
    const page = scene
      ? (await openScene(scene, context)).page
      : await openList({ address: service.address, workspace, story, context });
    await getReady?.(page, "loaded");
    expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
  });

  test.each(["thread", "long-names", "many", "quote", "arabic", "uploads"])("%s fits on a phone", async (name) => {
    const { page } = await openScene(SCENES[name] ?? { story: name }, { viewport: { width: 320, height: 640 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  test("a thread runs and loads nothing of hostile comments, and opens no dangerous address", async () => {
    const { page, problems } = await openScene({ story: "hostile" });
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
