import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openScript } from "./source-page.ts";

/** Two users with an editor each, whose documents send each other their changes while `isOnline`. */
export const USERS = `
import { AnchoredThreads } from "@colloquy/editor";
import { placeCards } from "@colloquy/editor/dom";
import * as Y from "yjs";

window.placeCards = placeCards;

const data = [];
const listeners = new Set();
window.threads = {
  getState: () => ({ data: [...data] }),
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  change(change) {
    change(data);
    for (const listener of listeners) listener();
  },
  async add(text, { anchor }) {
    const annotationId = "thread-" + text;
    const thread = { annotationId, anchor: JSON.parse(JSON.stringify(anchor)), status: { type: "default" } };
    threads.change((data) => data.push(thread));
    return annotationId;
  },
  async moveAnchor(annotationId, anchor) {
    const isMoved = (thread) => thread.annotationId === annotationId;
    threads.change((data) => data.splice(data.findIndex(isMoved), 1, { ...data.find(isMoved), anchor }));
  },
};
window.users = {};
/** Lets an undo take back only what a user does from now on, in ProseMirror. */
window.endUndoStep = (user) => {
  const state = users[user].view?.state;
  for (const plugin of state?.plugins ?? []) plugin.getState(state)?.undoManager?.stopCapturing();
};
window.isOnline = true;
/** Sends what the documents have changed while they were not online. */
window.connect = () => {
  isOnline = true;
  const [ada, grace] = documents;
  Y.applyUpdate(grace, Y.encodeStateAsUpdate(ada), "network");
  Y.applyUpdate(ada, Y.encodeStateAsUpdate(grace), "network");
};
export const documents = ["ada", "grace"].map((user) => {
  const document = new Y.Doc();
  document.on("update", (update, origin) => {
    if (origin === "network") return;
    for (const other of documents) if (isOnline && other !== document) Y.applyUpdate(other, update, "network");
  });
  return document;
});
export function addUser(user, create, options) {
  const region = document.createElement("section");
  region.setAttribute("aria-label", user);
  region.style.whiteSpace = "pre-wrap";
  document.body.append(region);
  const comments = new AnchoredThreads({ threads, editorId: "body" });
  users[user] = { comments };
  Object.assign(users[user], create(region, documents[user === "ada" ? 0 : 1], comments, options));
}
`;

/** Opens the page and waits until both editors show the text. */
export async function openUsers(script: string, options: object = {}): Promise<Page> {
  const page = await openScript(script);
  await page.evaluate(`open(${JSON.stringify(options)})`);
  await page.getByRole("region", { name: "grace" }).getByText("Payment is due").waitFor();
  return page;
}

export function getText(page: Page, user: string): Locator {
  return page.getByRole("region", { name: user }).getByRole("textbox");
}

/** Selects a word by the mouse, or places the cursor before a character of it. */
export async function select(page: Page, user: string, word: string, cursor?: number): Promise<void> {
  await getText(page, user).getByText(word).waitFor();
  const { from, to } = await page.evaluate<{ from: number[]; to: number[] }>(`(() => {
    const root = document.querySelector('[aria-label="${user}"]');
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const index = walker.currentNode.data.indexOf("${word}");
      if (index === -1) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, index + ${cursor ?? 0});
      range.setEnd(walker.currentNode, index + "${word}".length);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      return { from: [left, (top + bottom) / 2], to: [right, (top + bottom) / 2] };
    }
  })()`);
  await page.mouse.move(from[0] ?? 0, from[1] ?? 0);
  await page.mouse.down();
  if (cursor === undefined) await page.mouse.move(to[0] ?? 0, to[1] ?? 0, { steps: 4 });
  await page.mouse.up();
  // The browser reports a selection to the editor before the next frame.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
}

/** Returns the text that an editor highlights, by elements or by highlights of CSS, with the state of the thread. */
export function getHighlights(page: Page, user: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const { comments } = users["${user}"];
    const root = document.querySelector('[aria-label="${user}"]');
    const names = ["colloquy-highlight", "colloquy-highlight-active"];
    const ranges = names.flatMap((name) => [...CSS.highlights.get(name) ?? []]);
    return comments.getState().threads.map(({ thread, state }) => {
      const marks = [...root.querySelectorAll('[data-annotation-id="' + thread.annotationId + '"]')];
      const place = JSON.stringify(comments.getRect(thread.annotationId));
      const shown = ranges.filter((range) => JSON.stringify(range.getBoundingClientRect()) === place);
      return (state + " " + marks.map((mark) => mark.textContent).join("") + shown.join("")).trim();
    });
  })()`);
}

export function add(page: Page, user: string, text: string): Promise<string> {
  return page.evaluate(`users["${user}"].comments.add("${text}")`);
}

export async function expectBoth(page: Page, highlights: string[]): Promise<void> {
  for (const user of ["ada", "grace"])
    await expect.poll(() => getHighlights(page, user), { message: user }).toEqual(highlights);
}

/** Edits before and inside the words of a thread, deletes them, and takes that back. */
export async function followEdits(page: Page): Promise<void> {
  await select(page, "ada", "thirty");
  await add(page, "ada", "why");
  await expectBoth(page, ["attached thirty"]);
  await select(page, "grace", "Payment", 0);
  await page.keyboard.type("The ");
  await expectBoth(page, ["attached thirty"]);
  await select(page, "grace", "thirty", 3);
  await page.keyboard.type("-");
  await expectBoth(page, ["attached thi-rty"]);
  await page.keyboard.press("Backspace");
  await expectBoth(page, ["attached thirty"]);
  await select(page, "grace", "thirty");
  await page.evaluate("endUndoStep('grace')");
  await page.keyboard.press("Delete");
  await expectBoth(page, ["detached"]);
  await page.keyboard.press("Control+z");
  await expectBoth(page, ["attached thirty"]);
}

/** Adds, opens and steps through threads as grace, who cannot type. */
export async function stepThrough(page: Page): Promise<void> {
  const get = (name: string) => page.evaluate(`users.grace.comments.getState().${name}`);
  await select(page, "grace", "Delivery");
  await page.keyboard.type("x");
  await page.keyboard.press("Control+Alt+m");
  await expect.poll(() => get("draft?.quote.exact")).toBe("Delivery");
  await add(page, "grace", "second");
  await select(page, "grace", "within");
  await add(page, "grace", "first");
  await expectBoth(page, ["attached within", "attached Delivery"]);
  expect(await get("activeId")).toBe("thread-first");
  await page.keyboard.press("Alt+F9");
  expect(await get("activeId")).toBe("thread-second");
  await select(page, "grace", "within", 2);
  expect(await get("activeId")).toBe("thread-first");
}
