import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { expectClosedElsewhere } from "../other-organization.ts";
import {
  commentOn,
  commentTogether,
  countOverlaps,
  expectHighlighted,
  expectStored,
  selectWords,
} from "./comment-together.ts";
import { followInWorkspace, openAndWatch, TUTORIAL_TIMEOUT_MS } from "./follow.ts";

describeInBrowser("the tutorials of comments on a text", testTutorials, TUTORIAL_TIMEOUT_MS);

function testTutorials(): void {
  test("comments on the text of Lexical stay with their words for both users", async () => {
    const followed = await followInWorkspace("comments-in-lexical");
    await commentTogether(followed, { firstText: "Payment is due within thirty days." });
    await expectClosedElsewhere(followed.address, followed.credentials);
  });

  test("comments on the text of Tiptap stay with their words for both users", async () => {
    const followed = await followInWorkspace("comments-in-tiptap");
    await commentTogether(followed, { commenter: "linus" });
    await expectClosedElsewhere(followed.address, followed.credentials);
  });

  test("comments on the text of BlockNote stay with their words for all users, with its own components", async () => {
    const followed = await followInWorkspace("comments-in-blocknote");
    const { address, credentials, editor, workspace } = followed;
    const open = (user: string) => openAndWatch(`${address}/own.html?user=${user}`);
    const opened = [await open("ada"), await open("grace"), await open("linus")] as const;
    const [ada, grace, linus] = [opened[0].page, opened[1].page, opened[2].page];
    const sidebar = (page: Page) => page.locator(".bn-threads-sidebar");
    const write = async (page: Page, words: string, text: string) => {
      await selectWords(page, words);
      await page.keyboard.press("Control+Alt+M");
      await page.locator(".bn-thread [contenteditable=true]").last().click();
      await page.keyboard.type(text);
      await page.getByRole("button", { name: "Save" }).click();
      await sidebar(page).getByText(text).waitFor();
    };
    await write(grace, "thirty", "Why thirty?");
    await expectHighlighted([ada, grace, linus], ["thirty"]);
    await write(linus, "Payment", "Which one?");
    await expectHighlighted([ada, grace, linus], ["Payment", "thirty"]);

    await selectWords(ada, "irty", true);
    await ada.keyboard.type("-");
    await expectHighlighted([ada, grace], ["Payment", "th-irty"]);
    await ada.keyboard.press("Backspace");
    await expectHighlighted([ada, grace], ["Payment", "thirty"]);
    await expectStored(followed, "due within thirty days");
    await workspace.result("/v2/crdt/versions/add", { ...editor, versionId: "first", name: "First" });
    await selectWords(ada, "thirty");
    await ada.keyboard.press("Delete");
    await expectHighlighted([ada, grace], ["Payment"]);
    await ada.keyboard.press("Control+z");
    await expectHighlighted([ada, grace], ["Payment", "thirty"]);
    await selectWords(ada, "thirty");
    await ada.keyboard.press("Delete");
    await expectHighlighted([ada, grace], ["Payment"]);
    await expectStored(followed, "thirty", false);
    await workspace.result("/v2/crdt/versions/restore", { ...editor, versionId: "first" });
    await expectHighlighted([ada, grace], ["Payment", "thirty"]);
    await linus.reload();
    await expectHighlighted([linus], ["Payment", "thirty"]);

    const comment = (page: Page, text: string) => sidebar(page).locator(".bn-thread-comment", { hasText: text });
    // The buttons of BlockNote have no names, and appear beside the comment under the pointer.
    const press = async (page: Page, text: string, button: string) => {
      await comment(page, text).hover();
      await comment(page, text).locator(`[data-test="${button}" i]`).click();
    };
    const countReactions = (page: Page, count: number) =>
      comment(page, "Why thirty?").getByText(String(count), { exact: true });
    await press(ada, "Why thirty?", "addreaction");
    await ada.locator("em-emoji-picker button[aria-posinset]").locator("visible=true").first().click();
    await countReactions(grace, 1).click();
    await countReactions(ada, 2).waitFor();
    await press(ada, "Which one?", "resolve");
    await expectHighlighted([ada, grace, linus], ["thirty"]);
    await press(grace, "Why thirty?", "moreactions");
    await grace.getByRole("menuitem", { name: "Delete comment" }).click();
    await expectHighlighted([ada, grace, linus], []);
    expect(opened.flatMap(({ problems }) => problems)).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });

  test("comments on the text of CodeMirror stay with their words for both users", async () => {
    const followed = await followInWorkspace("comments-in-codemirror");
    await commentTogether(followed);
    await expectClosedElsewhere(followed.address, followed.credentials);
  });

  test("comments on the text of ProseMirror stay with their words for both users", async () => {
    const followed = await followInWorkspace("comments-in-prosemirror");
    await commentTogether(followed);
    await expectClosedElsewhere(followed.address, followed.credentials);
  });

  test("comments on the words and the picture of a page are shown there to both users", async () => {
    const { address, credentials } = await followInWorkspace("comments-on-a-page");
    const opened = [await openAndWatch(`${address}/?user=ada`), await openAndWatch(`${address}/?user=grace`)] as const;
    const [ada, grace] = [opened[0].page, opened[1].page];
    await commentOn(grace, "ten days", "Why ten?");
    await commentOn(ada, "thirty days", "Why thirty?");
    await expectHighlighted([ada, grace], ["thirty days", "ten days"]);
    await ada.getByRole("img").dblclick({ position: { x: 60, y: 30 } });
    await ada.getByRole("textbox", { name: "Comment", exact: true }).fill("Whose house is this?");
    await ada.keyboard.press("Control+Enter");
    const pins = [ada, grace].map((page) => page.getByRole("button", { name: "Comment 3 by Ada Lovelace" }));
    for (const pin of pins) await pin.waitFor();
    const getLeft = async (index: number) => Math.round((await pins[index]?.boundingBox())?.x ?? 0);
    const before = await getLeft(1);
    await pins[0]?.press("ArrowRight");
    await expect.poll(() => getLeft(1)).toBeGreaterThan(before);
    const after = await getLeft(1);
    await pins[1]?.press("ArrowRight");
    expect(await getLeft(1)).toBe(after);
    await pins[1]?.click();
    await grace.getByRole("article").getByText("Whose house is this?").waitFor();
    for (const page of [ada, grace]) await expect.poll(() => countOverlaps(page)).toBe(0);
    await grace.evaluate("document.querySelector('h1').after('More terms. ')");
    await grace.evaluate("document.querySelector('main').innerHTML += ''");
    await ada.reload();
    await expectHighlighted([ada, grace], ["thirty days", "ten days"]);
    expect(opened.flatMap(({ problems }) => problems)).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });
}
