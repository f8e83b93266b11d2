import type { Page } from "playwright-core";
import { openSourcePage } from "./source-page.ts";

export const TERMS = `
<h1>Terms</h1>
<main id="terms">
  <p id="payment">Payment is due
    within <b>thirty</b> days.</p>
  <p>Delivery is due within ten days of the order.</p>
  <ul><li>Late payment bears interest.</li><li>Late delivery ends the contract.</li></ul>
</main>`;

/** Threads without a service, and functions with which tests act as a user. */
const PREPARE = `
var data = [], listeners = new Set();
var source = {
  getState: () => ({ data }),
  subscribe: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
  async add(text, { anchor }) {
    const annotationId = "thread-" + (data.length + 1);
    setThreads([...data, { annotationId, anchor, status: { type: "default" }, text }]);
    return annotationId;
  },
};
function setThreads(next) {
  data = next;
  for (const listener of listeners) listener();
}
function addThreads(...anchors) {
  setThreads(anchors.map((anchor, index) => ({ annotationId: "thread-" + (index + 1), anchor, status: {} })));
}
/** Selects words, from the first text that contains \`from\` to the first one after it that contains \`to\`. */
function select(from, to = from) {
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && !walker.currentNode.data.includes(from));
  range.setStart(walker.currentNode, walker.currentNode.data.indexOf(from));
  while (!walker.currentNode.data.includes(to)) walker.nextNode();
  range.setEnd(walker.currentNode, walker.currentNode.data.indexOf(to) + to.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}
/** Returns the highlighted words. */
function getHighlighted(name = "colloquy-highlight") {
  return [...CSS.highlights.get(name) ?? []].map((range) => range.toString().replace(/\\s+/g, " "));
}
function getStates() {
  return threads.getState().threads.map(({ thread, state }) => thread.annotationId + " " + state);
}
function start(root = document.body) {
  globalThis.threads = new AnchoredThreads({ threads: source });
  globalThis.detach = attachPage(threads, { root });
}
`;

/** Opens a page without a service, whose text has threads. */
export async function openPage(html = TERMS, prepare = ""): Promise<Page> {
  const page = await openSourcePage(["editor/src/index.ts", "editor/src/dom.ts"], html, prepare);
  await page.addScriptTag({ content: PREPARE });
  await page.evaluate("start()");
  return page;
}

/** Selects words and comments on them. Returns the anchor. */
export function comment(page: Page, from: string, to = from): Promise<object> {
  return page.evaluate(`(async () => {
    select(${JSON.stringify(from)}, ${JSON.stringify(to)});
    await threads.add("?");
    getSelection().removeAllRanges();
    threads.open();
    return data.at(-1).anchor;
  })()`);
}

export const highlighted = (page: Page) => page.evaluate("getHighlighted()");
export const states = (page: Page) => page.evaluate("getStates()");
