import type { Page } from "playwright-core";
import { expect } from "vitest";
import { EVENTUALLY } from "../console/visitor.ts";
import { grant, removeGrant } from "../permissions.ts";
import type { FollowedInWorkspace } from "./follow.ts";
import { openAndWatch } from "./follow.ts";

const KEYS = { next: "Alt+F9", comment: "Control+Alt+m" };

/** Names of highlights, and a selector of highlighting elements. */
const SELECTORS = {
  all: [["colloquy-highlight", "colloquy-highlight-active"], "mark.colloquy-highlight"],
  active: [["colloquy-highlight-active"], 'mark.colloquy-highlight[data-active="true"]'],
};

/** Returns what a page highlights, in reading order: by elements, or by the CSS Custom Highlight API. */
function getHighlighted(page: Page, which: "all" | "active" = "all"): Promise<string[]> {
  return page.evaluate(`(() => {
    const [names, selector] = ${JSON.stringify(SELECTORS[which])};
    const ranges = names.flatMap((name) => [...CSS.highlights.get(name) ?? []]);
    ranges.sort((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b));
    const texts = new Map(ranges.map((range) => [range, String(range)]));
    // CodeMirror draws the caret of another user within a text, which makes two elements of it.
    for (const { dataset, textContent } of document.querySelectorAll(selector)) {
      texts.set(dataset.annotationId, (texts.get(dataset.annotationId) ?? "") + textContent);
    }
    return [...texts.values()];
  })()`);
}

/** Selects words in the main part of a page by the mouse, or puts the cursor before them. */
export async function selectWords(page: Page, words: string, isCursor = false): Promise<void> {
  await page.getByRole("main").getByText(words).first().waitFor();
  const [left, right, y] = await page.evaluate<[number, number, number]>(`(() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const begin = texts.map(({ data }) => data).join("").indexOf(${JSON.stringify(words)});
    const range = document.createRange();
    let offset = 0;
    for (const text of texts) {
      const [from, to] = [begin - offset, begin + ${words.length} - offset];
      if (from >= 0 && from < text.length) range.setStart(text, from);
      if (to > 0 && to <= text.length) range.setEnd(text, to);
      offset += text.length;
    }
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return [left, right, (top + bottom) / 2];
  })()`);
  await page.mouse.move(left, y);
  await page.mouse.down();
  if (!isCursor) await page.mouse.move(right, y, { steps: 4 });
  await page.mouse.up();
  // The browser reports a selection to the editor before the next frame.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
}

/** Selects words and comments on them, by a key or by the button of the page. */
export async function commentOn(page: Page, words: string, text: string, hasButton = false): Promise<void> {
  await selectWords(page, words);
  if (hasButton) await page.getByRole("button", { name: "Comment on the selection" }).click();
  else await page.keyboard.press(KEYS.comment);
  await page.getByRole("textbox", { name: "Comment", exact: true }).fill(text);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("article").getByText(text).waitFor();
}

export async function expectHighlighted(pages: Page[], words: string[]): Promise<void> {
  for (const page of pages) await expect.poll(() => getHighlighted(page)).toEqual(words);
}

/** Returns how many cards of a page begin before the one above them has ended. */
export function countOverlaps(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const cards = [...document.querySelectorAll("[data-annotation-id]:not(mark)")];
    const boxes = cards.map((card) => card.getBoundingClientRect());
    boxes.sort((a, b) => a.top - b.top);
    return boxes.filter(({ top }, index) => index > 0 && top < boxes[index - 1].bottom).length;
  })()`);
}

interface TogetherOptions {
  /** User of the page who may comment only, `grace` by default. */
  commenter?: string;
  /** Text that Ada types into an empty document. */
  firstText?: string;
}

/** Waits until the service has stored words of the document, or no longer has them. */
export async function expectStored(followed: FollowedInWorkspace, words: string, isThere = true): Promise<void> {
  const { workspace, editor } = followed;
  const content = async () => JSON.stringify((await workspace.data("/v2/crdt/get", editor))[0]?.data);
  await expect.poll(async () => (await content()).includes(words), EVENTUALLY).toBe(isThere);
}

/** Waits until a page says that its changes are saved. The service does not return the nested types of Lexical. */
async function expectSaved(page: Page, ...expected: Parameters<typeof expectStored>): Promise<void> {
  const saysSo = (await page.getByText(/^Sav(ed|ing)$/).count()) > 0;
  await (saysSo ? page.getByText("Saved", { exact: true }).waitFor() : expectStored(...expected));
}

/** Opens a tutorial's page as Ada, who may type, and a user who may comment, and comments on the text of its editor. */
export async function commentTogether(followed: FollowedInWorkspace, options: TogetherOptions = {}) {
  const { address, editor, workspace } = followed;
  const { commenter = "grace", firstText } = options;
  const opened = [
    await openAndWatch(`${address}/?user=ada`),
    await openAndWatch(`${address}/?user=${commenter}`),
  ] as const;
  const [ada, grace] = [opened[0].page, opened[1].page];
  const both = [ada, grace];
  const text = (page: Page) => page.getByRole("textbox", { name: "Contract" });
  const type = async (words: string, keys: string) => {
    await selectWords(ada, words, true);
    await ada.keyboard.type(keys);
  };
  if (firstText) {
    await text(ada).click();
    await ada.keyboard.type(firstText);
  }
  await text(grace).getByText("Payment is due within thirty days.").waitFor();
  await commentOn(grace, "thirty", "Why thirty?", true);
  await expectHighlighted(both, ["thirty"]);
  await ada.getByRole("article").getByText("Why thirty?").waitFor();
  await selectWords(grace, "Payment", true);
  await grace.keyboard.type("x");
  await type("Payment", "The ");
  // The caret of Ada, with her name, may be within the text.
  await expect
    .poll(() => text(grace).textContent())
    .toMatch(/The\s\W*(Ada Lovelace)?\W*Payment is due within thirty days/);
  // The caret has the name that the service knows, rather than what the page says.
  await grace.getByText("Ada Lovelace", { exact: true }).first().waitFor({ state: "attached" });
  await type("irty", "-");
  await expectHighlighted(both, ["th-irty"]);
  await ada.keyboard.press("Backspace");
  await expectHighlighted(both, ["thirty"]);
  await expectSaved(ada, followed, "The Payment is due within thirty days");
  await workspace.result("/v2/crdt/versions/add", { ...editor, versionId: "first", name: "First" });

  // An undo takes back all that was typed within half a second.
  await ada.reload();
  await selectWords(ada, "thirty");
  await ada.keyboard.press("Delete");
  await expectHighlighted(both, []);
  await ada.keyboard.press("Control+z");
  await expectHighlighted(both, ["thirty"]);
  await selectWords(ada, "within thirty days");
  await ada.keyboard.press("Delete");
  await expectHighlighted(both, []);
  await grace.getByRole("article").getByText("Why thirty?").waitFor();
  await expectSaved(ada, followed, "thirty", false);
  await workspace.result("/v2/crdt/versions/restore", { ...editor, versionId: "first" });
  await expectHighlighted(both, ["thirty"]);
  await grace.reload();
  await expectHighlighted(both, ["thirty"]);

  // What was begun is there again after a reload.
  const begun = ada.getByRole("textbox", { name: "Comment", exact: true });
  await selectWords(ada, "due");
  await ada.keyboard.press(KEYS.comment);
  await begun.fill("By whom?");
  await ada.reload();
  await expectHighlighted(both, ["thirty"]);
  await selectWords(ada, "due");
  await ada.keyboard.press(KEYS.comment);
  await begun.getByText("By whom?").waitFor();
  await begun.press("Control+Enter");
  await expectHighlighted(both, ["due", "thirty"]);
  for (const page of both) await expect.poll(() => countOverlaps(page)).toBe(0);
  await selectWords(ada, "Payment", true);
  const openedText = () => getHighlighted(ada, "active");
  await expect.poll(openedText).toEqual([]);
  for (const words of ["due", "thirty"]) {
    await ada.keyboard.press(KEYS.next);
    await expect.poll(openedText).toEqual([words]);
  }
  await ada.getByRole("article").filter({ hasText: "By whom?" }).getByRole("button", { name: "Resolve" }).click();
  await expectHighlighted(both, ["thirty"]);
  const { organizationId, documentId } = editor;
  await workspace.data("/v2/commentannotations/delete", { organizationId, documentId });
  await expectHighlighted(both, []);
  // A user who loses the right to type, and gets it back, types on where the cursor was.
  await selectWords(ada, "within", true);
  const attribute = (name: string) => text(ada).getAttribute(name);
  const isEditable = async () =>
    (await attribute("contenteditable")) === "true" && (await attribute("aria-readonly")) !== "true";
  await grant(workspace, "ada", `document ${documentId}`, "commenter");
  await expect.poll(isEditable, EVENTUALLY).toBe(false);
  await removeGrant(workspace, "ada", `document ${documentId}`);
  await expect.poll(isEditable, EVENTUALLY).toBe(true);
  await ada.keyboard.type("+");
  // The caret of Ada is between them.
  await expect.poll(() => text(grace).textContent()).toMatch(/\+.*within/);
  expect(opened.flatMap(({ problems }) => problems)).toEqual([]);
}
