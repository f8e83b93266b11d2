import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { comment, highlighted, openPage, states, TERMS } from "./page-threads.ts";

describeInBrowser("threads on the text of a page", () => {
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
