import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { comment, highlighted, openPage, states, TERMS } from "./page-threads.ts";

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
});
