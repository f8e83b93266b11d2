import { expect, test } from "vitest";
import { describeInBrowser } from "../../console/visitor.ts";
import { startTestService } from "../../harness.ts";
import { accessibilityViolations } from "../react-page.ts";
import { openStory, STORIES, type StoryState } from "./open-story.ts";
import { seed } from "./seed.ts";

const LOOKS = [
  { language: "en", colorScheme: "light" },
  { language: "en", colorScheme: "dark" },
  { language: "ar", colorScheme: "light" },
] as const;
const STATES: readonly StoryState[] = ["loaded", "empty", "loading", "failed"];

const service = await startTestService();
const workspace = await service.publicWorkspace();
await seed(workspace);

/** Script that returns the sections without a heading of their own, and those whose name is another one. */
const UNNAMED_SECTIONS = `[...document.querySelectorAll("section")].filter((section) => {
  const heading = document.getElementById(section.getAttribute("aria-labelledby"));
  return !section.contains(heading) || !/^H[1-6]$/.test(heading.tagName);
}).length`;

describeInBrowser("components", () => {
  test.each(Object.keys(STORIES))("%s has no accessibility violation in any state and look", async (story) => {
    const found: unknown[] = [];
    for (const { language, colorScheme } of LOOKS) {
      for (const state of STATES) {
        const page = await openStory({
          ...{ address: service.address, workspace, story, state, language },
          context: { colorScheme },
        });
        await STORIES[story]?.ready(page, state);
        const violations = await accessibilityViolations(page);
        const sections = await page.evaluate(UNNAMED_SECTIONS);
        found.push({ state, language, colorScheme, violations, sections });
        await page.context().close();
      }
    }
    expect(found.filter((each) => !isClean(each))).toEqual([]);
  });
});

function isClean(found: unknown): boolean {
  const { violations, sections } = Object(found);
  return violations.length === 0 && sections === 0;
}
