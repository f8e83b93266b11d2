import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openScript } from "./source-page.ts";

/** Two users with an editor each, whose documents send each other their changes while `isOnline`. */
export const USERS = `
import { AnchoredThreads } from "@colloquy/editor";
import * as Y from "yjs";

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
/** Lets an undo take back only what a user does from now on. */
window.endUndoStep = (user) => {
  const { state } = users[user].view;
  const states = state.plugins.map((plugin) => plugin.getState(state));
  states.find((each) => each?.undoManager).undoManager.stopCapturing();
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
