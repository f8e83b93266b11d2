import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { openSourcePage } from "./source-page.ts";

const TERMS = `
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

async function openPage(html = TERMS, prepare = ""): Promise<Page> {
  const page = await openSourcePage(["editor/src/index.ts", "editor/src/dom.ts"], html, prepare);
  await page.addScriptTag({ content: PREPARE });
  await page.evaluate("start()");
  return page;
}

/** Selects words and comments on them. Returns the anchor. */
function comment(page: Page, from: string, to = from): Promise<object> {
  return page.evaluate(`(async () => {
    select(${JSON.stringify(from)}, ${JSON.stringify(to)});
    await threads.add("?");
    getSelection().removeAllRanges();
    threads.open();
    return data.at(-1).anchor;
  })()`);
}

const highlighted = (page: Page) => page.evaluate("getHighlighted()");
const states = (page: Page) => page.evaluate("getStates()");

describeInBrowser("threads on the text of a page", () => {
  test("have a quote within the closest element, and are found by it on the same page written otherwise", async () => {
    const page = await openPage();
    const across = await comment(page, "due within ten", "payment");
    expect(await comment(page, "within", "thirty")).toEqual({
      selector: "#payment",
      quote: { exact: "within thirty", prefix: "Terms\nPayment is due ", suffix: " days.\nDelivery is due within te" },
    });
    expect(across).toMatchObject({
      selector: "#terms",
      quote: { exact: expect.stringMatching(/^due within ten.*\nLate payment$/s) },
    });
    await expect
      .poll(() => highlighted(page))
      .toEqual(["due within ten days of the order. Late payment", "within thirty"]);
    const other = await openPage(
      TERMS.replaceAll(/\s+/g, " ").replaceAll("> <", "><").replace("<b>thirty</b>", "thirty"),
    );
    await other.evaluate(`addThreads(...${JSON.stringify(await page.evaluate("data.map(({ anchor }) => anchor)"))})`);
    await expect
      .poll(() => highlighted(other))
      .toEqual(["due within ten days of the order.Late payment", "within thirty"]);
    expect(await states(other)).toEqual(["thread-2 attached", "thread-1 attached"]);
  });

  test("stay on their words while the page changes, and are found again after it was rendered again", async () => {
    const page = await openPage();
    const words = "due within ten days of the order";
    await comment(page, words);
    await page.evaluate('document.querySelector("h1").after("More text before. ")');
    await expect.poll(() => states(page)).toEqual(["thread-1 attached"]);
    expect(await highlighted(page)).toEqual([words]);
    await page.evaluate('document.querySelector("main").innerHTML = document.querySelector("main").innerHTML');
    await expect.poll(() => highlighted(page)).toEqual([words]);
    // The element has gone, and the words are elsewhere.
    await page.evaluate(`document.querySelector("main").outerHTML =
      "<section><h2>Delivery</h2><p>Delivery is due within ten days of an order.</p></section>"`);
    await expect.poll(() => states(page)).toEqual(["thread-1 moved"]);
    expect(await highlighted(page)).toEqual([words.replace("the", "an")]);
    await page.evaluate('document.querySelector("section").remove()');
    await expect.poll(() => states(page)).toEqual(["thread-1 detached"]);
    expect(await highlighted(page)).toEqual([]);
    await page.evaluate(`document.body.append("Delivery is due within ten days of the order.")`);
    await expect.poll(() => highlighted(page)).toEqual([words]);
  });

  test("are opened by a click on their words, and by keys in reading order, with the words highlighted", async () => {
    const page = await openPage();
    await comment(page, "Late delivery ends");
    await comment(page, "Payment is due", "within ten");
    await comment(page, "Delivery is");
    const active = () => page.evaluate("threads.getState().activeId");
    const click = async (words: string) => {
      const [x, y] = await page.evaluate<[number, number]>(`(() => {
        select(${JSON.stringify(words)});
        const { x, y, width, height } = getSelection().getRangeAt(0).getBoundingClientRect();
        getSelection().removeAllRanges();
        return [x + width / 2, y + height / 2];
      })()`);
      await page.mouse.click(x, y);
    };
    await click("Delivery");
    expect(await active()).toBe("thread-3");
    expect(await page.evaluate('getHighlighted("colloquy-highlight-active")')).toEqual(["Delivery is"]);
    await click("due within ten");
    expect(await active()).toBe("thread-2");
    await click("interest");
    expect(await active()).toBeUndefined();
    const opened = [];
    for (const key of ["Alt+F9", "Alt+F9", "Alt+F9", "Alt+F9", "Shift+Alt+F9"]) {
      await page.keyboard.press(key);
      opened.push(await active());
    }
    expect(opened).toEqual(["thread-2", "thread-3", "thread-1", "thread-2", "thread-1"]);
  });

  test("begin by a key on the selected words, which are highlighted while the user writes", async () => {
    const page = await openPage();
    await page.evaluate('select("ten days")');
    await page.keyboard.press("Control+Alt+m");
    await page.evaluate("getSelection().removeAllRanges()");
    expect(await page.evaluate('getHighlighted("colloquy-highlight-active")')).toEqual(["ten days"]);
    await page.evaluate("threads.cancelComment()");
    expect(await page.evaluate('getHighlighted("colloquy-highlight-active")')).toEqual([]);
  });

  test("change nothing of the page, and leave nothing when they end", async () => {
    const page = await openPage();
    const html = await page.content();
    await comment(page, "ten days");
    await expect.poll(() => highlighted(page)).toEqual(["ten days"]);
    expect(await page.content()).toBe(html);
    await page.evaluate("detach()");
    expect(await highlighted(page)).toEqual([]);
  });

  test("are shown by rectangles in a browser without highlights, within areas that scroll", async () => {
    const html = `<div style="height:3px"></div><div id="area" style="height:120px;overflow:auto">${TERMS}</div>`;
    const page = await openPage(html, "delete CSS.highlights");
    await comment(page, "ten days");
    await comment(page, "Late delivery", "ends");
    /** Returns how far the rectangles are from the words, which the second argument names. */
    const distances = (words: string) =>
      page.evaluate<number[]>(`(() => {
        select(${JSON.stringify(words)});
        const { x, y, width } = getSelection().getRangeAt(0).getBoundingClientRect();
        getSelection().removeAllRanges();
        const boxes = [...document.querySelectorAll(".colloquy-highlight")].map((span) => span.getBoundingClientRect());
        return boxes.map((box) => Math.hypot(box.x - x, box.y - y, box.width - width));
      })()`);
    const shown = () => page.locator(".colloquy-highlight").count();
    await expect.poll(shown).toBe(1);
    expect((await distances("ten days"))[0]).toBeLessThan(1);
    for (const change of ["area.scrollTop = 20", "scrollTo(0, 1)", 'document.querySelector("h1").append("!")']) {
      await page.evaluate(change);
      await expect.poll(async () => (await distances("ten days"))[0], { message: change }).toBeLessThan(1);
    }
    await page.evaluate("area.scrollTop = 1000");
    await expect.poll(async () => (await distances("Late delivery ends")).some((distance) => distance < 1)).toBe(true);
    await page.evaluate("threads.open('thread-2')");
    await page.locator(".colloquy-highlight-active").waitFor();
    await page.evaluate("detach()");
    expect(await page.locator("[data-colloquy-ignored]").count()).toBe(0);
  });
});
