import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { expectClosedElsewhere } from "../other-organization.ts";
import { typeBesideCaret } from "../typing.ts";
import { followFromStart, followInWorkspace, openAndWatch, TUTORIAL_TIMEOUT_MS } from "./follow.ts";

describeInBrowser("the tutorials", testTutorials, TUTORIAL_TIMEOUT_MS);

function testTutorials(): void {
  test("the bell counts notifications as they arrive, and none after a click", async () => {
    const { reader, address, credentials } = await followFromStart("bell");
    const { page, problems } = await openAndWatch(`${address}/?user=ada`);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await reader.run('node notify.js "$COLLOQUY_URL" "$API_KEY" "$AUTH_TOKEN" "Please sign contract 8"');
    await page.getByText("Please sign contract 8").waitFor();
    await page.getByRole("button", { name: "Notifications, 2 unread" }).click();
    await page.getByRole("button", { name: "Notifications, 0 unread" }).waitFor();
    expect(problems).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });

  test("comments and replies appear in the window of the other user, on the document that both have open", async () => {
    const { address, credentials } = await followInWorkspace("comments");
    const [ada, grace, other] = [
      await openAndWatch(`${address}/?user=ada`),
      await openAndWatch(`${address}/?user=grace`),
      await openAndWatch(`${address}/?user=ada&on=task-12`),
    ];
    await ada.page.getByLabel("New comment").fill("When is it due?");
    await ada.page.getByRole("button", { name: "Comment" }).click();
    await grace.page.getByText("When is it due?").waitFor();
    await grace.page.getByLabel("Reply").fill("Within thirty days.");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await ada.page.getByRole("article").getByText("Within thirty days.").waitFor();
    await ada.page.getByRole("button", { name: "Resolve" }).click();
    await grace.page.getByText("Resolved", { exact: true }).waitFor();
    await other.page.getByRole("heading", { name: "Comments on task-12" }).waitFor();
    expect(await other.page.getByRole("article").count()).toBe(0);
    expect([ada, grace, other].flatMap(({ problems }) => problems)).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });

  test("what one user types in the editor, the other sees with their cursor", async () => {
    const { address, credentials } = await followInWorkspace("editor");
    const [ada, grace] = [await openAndWatch(`${address}/?user=ada`), await openAndWatch(`${address}/?user=grace`)];
    const texts = [ada, grace].map(({ page }) => page.getByRole("textbox", { name: "Contract" }));
    for (const text of texts) await text.getByText("Payment is due within thirty days.").waitFor();
    await texts[0]?.click();
    await ada.page.keyboard.press("Control+End");
    await ada.page.keyboard.type(" Or sixty.");
    await texts[1]?.getByText("thirty days. Or sixty.").waitFor();
    const caret = grace.page.locator(".collaboration-carets__label", { hasText: "ada" });
    await caret.waitFor({ state: "attached" });
    // The label is above the text: it neither makes the line wider nor another one.
    const [line, label] = [await texts[1]?.getByText("Or sixty.").boundingBox(), await caret.boundingBox()];
    expect(line?.height).toBeLessThan(30);
    expect(label && line && label.y + label.height).toBeLessThanOrEqual((line?.y ?? 0) + 1);
    await texts[1]?.click();
    await grace.page.keyboard.press("Control+End");
    await typeBesideCaret(
      grace.page,
      " Thirty.",
      async () => (await texts[1]?.textContent())?.split("sixty.")[1] ?? "",
    );
    await texts[0]?.getByText("Or sixty. Thirty.").waitFor();
    await ada.page.getByText("Saved", { exact: true }).waitFor();
    expect([ada, grace].flatMap(({ problems }) => problems)).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });

  test("the feed shows earlier activities, and new ones without a reload", async () => {
    const { reader, address, credentials } = await followInWorkspace("activity-feed");
    const { page, problems } = await openAndWatch(address);
    await page.getByText("Grace Hopper has signed the contract").waitFor();
    await reader.run('node record.js "$COLLOQUY_URL" "$API_KEY" "$AUTH_TOKEN" "has paid the invoice"');
    await page.getByText("Grace Hopper has paid the invoice").waitFor();
    const texts = await page.getByRole("listitem").allTextContents();
    expect(texts.map((text) => text.slice(text.indexOf("Grace")))).toEqual([
      "Grace Hopper has paid the invoice",
      "Grace Hopper has signed the contract",
    ]);
    expect(problems).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });

  test("users comment on the same words of a Tiptap editor, also one who may not type", async () => {
    const { address, credentials } = await followInWorkspace("comments-in-tiptap");
    const users = [];
    for (const name of ["ada", "grace", "linus"]) users.push(await openAndWatch(`${address}/?user=${name}`));
    const [ada, grace, linus] = users.map(({ page }) => page);
    if (!ada || !grace || !linus) throw new Error("A page is missing.");
    const mark = (page: Page, text: string) =>
      page.getByRole("textbox", { name: "Contract" }).locator("mark", { hasText: text });
    await selectText(ada, "thirty");
    await ada.keyboard.press("Control+Alt+M");
    await writeComment(ada, "Why thirty?");
    await mark(grace, "thirty").waitFor();
    await grace.getByRole("complementary", { name: "Comments" }).getByText("Why thirty?").waitFor();
    const card = grace.locator("[data-annotation-id]", { hasText: "Why thirty?" });
    const getTop = async (element: Locator) => Math.round((await element.boundingBox())?.y ?? 0);
    await expect.poll(() => getTop(card)).toBe(await getTop(mark(grace, "thirty")));
    await selectText(linus, "Payment");
    await linus.getByRole("button", { name: "Comment on the selection" }).click();
    await writeComment(linus, "Which one?");
    for (const page of [ada, grace]) {
      await mark(page, "Payment").waitFor();
      await page.getByText("Which one?").waitFor();
    }
    expect(users.flatMap(({ problems }) => problems)).toEqual([]);
    await expectClosedElsewhere(address, credentials);
  });
}

/** Selects a word of the contract by the mouse. */
async function selectText(page: Page, word: string): Promise<void> {
  await page.getByRole("textbox", { name: "Contract" }).getByText(word).waitFor();
  const { left, right, y } = await page.evaluate<{ left: number; right: number; y: number }>(`(() => {
    const walker = document.createTreeWalker(document.querySelector('[role="textbox"]'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const index = walker.currentNode.data.indexOf("${word}");
      if (index === -1) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + "${word}".length);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      return { left, right, y: (top + bottom) / 2 };
    }
  })()`);
  await page.mouse.move(left, y);
  await page.mouse.down();
  await page.mouse.move(right, y, { steps: 4 });
  await page.mouse.up();
}

/** Writes the comment that the user has begun. */
async function writeComment(page: Page, text: string): Promise<void> {
  const composer = page.locator('[data-annotation-id=""]');
  await composer.getByRole("textbox").fill(text);
  await composer.getByRole("button", { name: "Send" }).click();
  await composer.waitFor({ state: "detached" });
}
