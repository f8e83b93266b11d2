import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, EVENTUALLY } from "../console/visitor.ts";
import { expectClosedElsewhere } from "../other-organization.ts";
import { expectHighlighted, selectWords } from "./comment-together.ts";
import { followInWorkspace, openAndWatch, TUTORIAL_TIMEOUT_MS } from "./follow.ts";
import { readTutorial } from "./tutorial.ts";

/** Maximum number of lines of a page with all that a product needs. */
const MAX_LINES = 60;
const FILE = { name: "clause.txt", mimeType: "text/plain", buffer: Buffer.from("Within thirty days.") };

describeInBrowser("a product that a tutorial builds", testProducts, TUTORIAL_TIMEOUT_MS);

function testProducts(): void {
  for (const editor of ["tiptap", "blocknote"]) {
    test(`the page with ${editor} has at most ${MAX_LINES} lines`, () => {
      const [, page = ""] = /`main\.jsx`:\n\n```jsx\n([\s\S]*?)```/.exec(readTutorial(`comments-in-${editor}`)) ?? [];
      expect(page).toContain("useDocument");
      expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
    });

    test(`users of ${editor} mention, attach, get notified, and restore a version with its comments`, async () => {
      const { address, credentials } = await followInWorkspace(`comments-in-${editor}`);
      const opened = [
        await openAndWatch(`${address}/?user=ada`),
        await openAndWatch(`${address}/?user=grace`),
      ] as const;
      const [ada, grace] = [opened[0].page, opened[1].page];
      const both = [ada, grace];

      await selectWords(ada, "thirty");
      await ada.getByRole("button", { name: "Comment on the selection" }).click();
      await ada.locator('[data-annotation-id=""]').getByRole("textbox").click();
      await ada.keyboard.type("Why thirty, @Gra");
      await ada.getByRole("option", { name: "Grace Hopper" }).click();
      await ada.locator('[data-annotation-id=""] input[type=file]').setInputFiles(FILE);
      await send(ada);
      await expectHighlighted(both, ["thirty"]);

      const thread = grace.getByRole("article").filter({ hasText: "Why thirty, @Grace Hopper" });
      const url = await thread.getByRole("link", { name: FILE.name }).getAttribute("href");
      expect(await grace.evaluate(`fetch(${JSON.stringify(url)}).then((response) => response.text())`)).toBe(
        String(FILE.buffer),
      );
      await grace.getByRole("button", { name: /, 1 unread/ }).click();
      await grace.getByRole("button", { name: /^Ada Lovelace mentioned you/ }).click();
      await grace.locator('mark[data-active="true"]', { hasText: "thirty" }).waitFor();
      await grace.getByRole("button", { name: /, 0 unread/ }).waitFor();

      await selectWords(grace, "thirty");
      await grace.keyboard.press("Control+Alt+m");
      await grace.locator('[data-annotation-id=""]').getByRole("textbox").fill("Ten is enough.");
      await send(grace);
      await ada.getByRole("article").getByText("Ten is enough.").waitFor();
      await expectHighlighted(both, ["thirty", "thirty"]);

      // The caret of Grace is behind these words, since her focus is in the text again.
      await selectWords(ada, "within thirty");
      await ada.keyboard.press("Delete");
      await expectHighlighted(both, []);
      await ada.getByRole("button", { name: "Automatic version" }).first().click();
      await ada.getByRole("button", { name: "Restore", exact: true }).click();
      await ada.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
      await ada.getByText("The version is restored.").waitFor();
      await expectHighlighted(both, ["thirty", "thirty"]);
      await grace.reload();
      await expectHighlighted([grace], ["thirty", "thirty"]);
      await expect.poll(() => grace.getByRole("article").count(), EVENTUALLY).toBe(2);
      expect(opened.flatMap(({ problems }) => problems)).toEqual([]);
      await expectClosedElsewhere(address, credentials);
    });
  }
}

/** Sends the comment that the user has begun. */
async function send(page: Page): Promise<void> {
  const composer = page.locator('[data-annotation-id=""]');
  await composer.getByRole("button", { name: "Send" }).click();
  await composer.waitFor({ state: "detached" });
}
