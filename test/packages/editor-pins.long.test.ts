import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { openSourcePage } from "./source-page.ts";

const IMAGE = '<div id="plan" style="width:400px;height:200px;background:#ddd"></div>';
const ANCHOR = { selector: "#plan", x: 0.5, y: 0.25 };

/** Opens a page with pins on `#plan`. What the callbacks get is in `opened` and `moved`. */
async function openPins(html: string, pins: object[] = [{}]): Promise<Page> {
  const page = await openSourcePage(["editor/src/dom.ts"], html);
  const shown = pins.map((pin, index) => {
    const defaults = { annotationId: `thread-${index}`, anchor: ANCHOR, text: String(index + 1) };
    return { ...defaults, label: `Comment ${index + 1} by Ada`, isMovable: true, ...pin };
  });
  await page.evaluate(`
    var opened = [], moved = [];
    var pins = createPins({
      root: document.body,
      onOpen: (id) => opened.push(id),
      onMove: (id, anchor) => moved.push([id, anchor]),
    });
    var shown = ${JSON.stringify(shown)};
    pins.show(shown);`);
  return page;
}

/** Returns the center of a pin, relative to the element, in pixels. */
function getPlace(page: Page, name = "Comment 1 by Ada"): Promise<[number, number]> {
  return page.evaluate(`(() => {
    const pin = document.querySelector('[aria-label="${name}"]').getBoundingClientRect();
    const box = document.querySelector("#plan").getBoundingClientRect();
    return [pin.x + pin.width / 2 - box.x, pin.y + pin.height / 2 - box.y].map(Math.round);
  })()`);
}

describeInBrowser("pins on a page", () => {
  test("follow their element when the page, an inner area or the window moves it", async () => {
    const area = `<div id="area" style="height:300px;overflow:auto"><div style="height:270px"></div>${IMAGE}</div>`;
    const page = await openPins(`<div id="before"></div>${area}<div style="height:3000px"></div>`);
    const changes = [
      "scrollTo(0, 120)",
      "area.scrollTop = 130",
      "before.style.height = '77px'",
      "plan.style.width = '60%'",
      "before.append(document.createElement('hr'))",
    ];
    const isVisible = () => page.getByRole("button", { name: "Comment 1 by Ada" }).isVisible();
    expect(await isVisible()).toBe(false);
    await page.evaluate("area.scrollTop = 120");
    await expect.poll(isVisible).toBe(true);
    for (const change of changes) {
      await page.evaluate(change);
      const width = await page.evaluate<number>("plan.offsetWidth");
      await expect.poll(() => getPlace(page), { message: change }).toEqual([Math.round(width / 2), 50]);
    }
    await page.setViewportSize({ width: 500, height: 600 });
    const width = await page.evaluate<number>("plan.offsetWidth");
    await expect.poll(() => getPlace(page)).toEqual([Math.round(width / 2), 50]);
    await page.evaluate("area.scrollTop = 0");
    await expect.poll(isVisible).toBe(false);
    await page.evaluate("area.scrollTop = 130");
    await expect.poll(isVisible).toBe(true);
  });

  test("are opened by a click and by Enter, and moved by the pointer and arrow keys within their element", async () => {
    const page = await openPins(IMAGE, [{}, { isMovable: false, anchor: { ...ANCHOR, x: 0.1 } }]);
    const pin = page.getByRole("button", { name: "Comment 1 by Ada" });
    await page.getByRole("button", { name: "Comment 2 by Ada" }).click();
    await pin.focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate("opened")).toEqual(["thread-1", "thread-0"]);
    for (const key of ["ArrowRight", "ArrowDown", "Shift+ArrowUp"]) await page.keyboard.press(key);
    expect(await page.evaluate("moved")).toEqual([
      ["thread-0", { ...ANCHOR, x: 0.51 }],
      ["thread-0", { ...ANCHOR, x: 0.51, y: 0.26 }],
      ["thread-0", { ...ANCHOR, x: 0.51, y: 0.21 }],
    ]);
    const box = await page.locator("#plan").boundingBox();
    await page.mouse.move((box?.x ?? 0) + 204, (box?.y ?? 0) + 42);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 500, { steps: 3 });
    await page.mouse.up();
    expect(await page.evaluate("moved.at(-1)")).toEqual(["thread-0", { ...ANCHOR, x: 0.75, y: 1 }]);
    expect(await getPlace(page)).toEqual([300, 200]);
    expect(await page.evaluate("opened.length")).toBe(2);
    await page.getByRole("button", { name: "Comment 2 by Ada" }).press("ArrowRight");
    expect(await page.evaluate("moved.length")).toBe(4);
  });

  test("go back when Escape or the browser ends a move", async () => {
    const page = await openPins(IMAGE);
    await page.getByRole("button").focus();
    await page.keyboard.down("ArrowRight");
    await page.keyboard.press("Escape");
    await page.keyboard.up("ArrowRight");
    expect(await getPlace(page)).toEqual([200, 50]);
    const box = await page.locator("#plan").boundingBox();
    await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 50);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 150, { steps: 2 });
    await page.evaluate("document.querySelector('button').dispatchEvent(new PointerEvent('pointercancel'))");
    await page.mouse.up();
    expect(await getPlace(page)).toEqual([200, 50]);
    expect(await page.evaluate("moved")).toEqual([]);
  });

  test("find their element again after the page has replaced it, and keep the focus when others go", async () => {
    const page = await openPins(`<main>${IMAGE}</main>`);
    const pin = page.getByRole("button", { name: "Comment 1 by Ada" });
    await pin.focus();
    await page.evaluate("pins.show([{ ...shown[0], annotationId: 'other', label: 'Other' }, shown[0]])");
    await page.evaluate("pins.show([{ ...shown[0], text: '7' }])");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("7");
    const order = () => page.getByRole("button").allTextContents();
    await page.evaluate("pins.show(['a', 'b', 'c'].map((text) => ({ ...shown[0], annotationId: text, text })))");
    await page.evaluate(
      "pins.show(['a', 'x', 'b', 'c', 'y'].map((text) => ({ ...shown[0], annotationId: text, text })))",
    );
    expect(await order()).toEqual(["a", "x", "b", "c", "y"]);
    await page.evaluate("pins.show([shown[0]])");
    expect(await page.getByRole("button").count()).toBe(1);
    await page.evaluate("plan.remove()");
    await expect.poll(() => pin.isVisible()).toBe(false);
    await page.evaluate(`document.querySelector("main").innerHTML = ${JSON.stringify(`<p>New</p>${IMAGE}`)}`);
    await expect.poll(() => pin.isVisible()).toBe(true);
    expect(await getPlace(page)).toEqual([200, 50]);
    await page.evaluate("pins.destroy()");
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("cost no frame while nothing moves", async () => {
    const page = await openPins(IMAGE);
    await expect.poll(() => getPlace(page)).toEqual([200, 50]);
    const frames = page.evaluate<number>(`new Promise((resolve) => {
      let count = 0;
      const original = requestAnimationFrame;
      const afterFrames = (run) => original(() => original(() => original(run)));
      afterFrames(() => {
        globalThis.requestAnimationFrame = (run) => { count += 1; return original(run); };
        plan.setAttribute("aria-busy", "true");
        afterFrames(() => resolve(count));
      });
    })`);
    expect(await frames).toBe(0);
  });
});

describeInBrowser("selectors of elements", () => {
  test.each([
    [
      "an ID",
      '<p id="a.b">1</p><p data-target>2</p><div id="7"><b data-target>3</b></div>',
      ["body > p:nth-of-type(2)", "#\\37  > b"],
    ],
    [
      "a data attribute",
      '<ul><li data-block-id="x"><i data-target>1</i></li><li>2</li></ul>',
      ['[data-block-id="x"] > i'],
    ],
    [
      "no repeated or generated ID",
      '<p id="a">1</p><p id="a" data-target>2</p><p id=":r1:" data-target>3</p>',
      ["body > p:nth-of-type(2)", "body > p:nth-of-type(3)"],
    ],
    ["no attribute of a state", '<p data-valid="1" data-target>1</p>', ["body > p"]],
  ])("use %s", async (_, html, selectors) => {
    const page = await openSourcePage(["editor/src/dom.ts"], html);
    const built = await page.evaluate<string[]>("[...document.querySelectorAll('[data-target]')].map(buildSelector)");
    expect(built).toEqual(selectors);
    const found =
      '(selector, index) => findElement(document.body, selector) === document.querySelectorAll("[data-target]")[index]';
    expect(await page.evaluate(`${JSON.stringify(built)}.every(${found})`)).toBe(true);
  });

  test("find no element outside of the given one, and none if they are invalid", async () => {
    const page = await openSourcePage(["editor/src/dom.ts"], '<p id="outside"></p><main><p class="x"></p></main>');
    const find = (selector: string) =>
      page.evaluate(`findElement(document.querySelector("main"), ${JSON.stringify(selector)})?.outerHTML`);
    expect(await find("#outside")).toBeUndefined();
    expect(await find("p")).toBe('<p class="x"></p>');
    expect(await find("p[[")).toBeUndefined();
    expect(await find("body")).toBeUndefined();
  });

  test("find nothing by selectors that can block the page, however they are written", async () => {
    const html = '<p id="a,b~c" class="x y" title="(z"></p><p id="second"></p>';
    const page = await openSourcePage(["editor/src/dom.ts"], html);
    const find = (by: string, selector: string) => page.evaluate(`${by}(${JSON.stringify(selector)})?.id ?? "none"`);
    const slow = ["#missing, p", "p ~ p", "p + p", "p:has(~ p)", "p:not(b)", "p:nth-child(1 of p)"];
    const hidden = ['p/*"*/ ~ p/*"*/', "p/*'*/ ~ p/*'*/", '[title="(z"] ~ p', "p\\{, p", "p:nth-child(1),p"];
    for (const selector of [...slow, ...hidden]) {
      expect(await find("document.querySelector.bind(document)", selector), selector).not.toBe("none");
      expect(await find("((selector) => findElement(document.body, selector))", selector), selector).toBe("none");
    }
    const quick = [
      '[title="(z"]',
      "[title='(z']",
      "#a\\,b\\~c",
      '[class~="y"]',
      "body > p:nth-of-type(1)",
      "p.x:empty",
    ];
    for (const selector of quick) {
      expect(await find("((selector) => findElement(document.body, selector))", selector), selector).toBe("a,b~c");
    }
  });
});
