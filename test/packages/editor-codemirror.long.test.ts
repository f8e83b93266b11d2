import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { countOverlaps, getOffsets, showCards } from "./editor-cards.ts";
import { add, expectBoth, getHighlights, openUsers, select, USERS } from "./editor-users.ts";

const CODEMIRROR = `${USERS}
import { placeCards } from "@colloquy/editor/dom";
import { Awareness } from "y-protocols/awareness";
window.placeCards = placeCards;
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { commentsExtension, commentsGutter } from "@colloquy/editor/codemirror";
import { yCollab, yUndoManagerKeymap } from "y-codemirror.next";

function create(parent, document, threads, { isReadOnly = false } = {}) {
  const text = document.getText("content");
  const extensions = [
    commentsExtension(threads),
    commentsGutter(threads),
    keymap.of(yUndoManagerKeymap),
    lineNumbers(),
    EditorState.readOnly.of(isReadOnly),
    yCollab(text, new Awareness(document)),
  ];
  return { view: new EditorView({ parent, doc: text.toString(), extensions }) };
}
window.open = (options = {}) => {
  const lines = ["Terms", "Payment is due within thirty days.", "Delivery follows."];
  if (options.lineCount) for (let index = 0; index < options.lineCount; index += 1) lines.push("Line " + index);
  documents[0].getText("content").insert(0, lines.join("\\n"));
  addUser("ada", create);
  addUser("grace", create, options);
};`;

describeInBrowser("comments in CodeMirror", () => {
  test("follow edits before and inside, a deletion, and its undo for both users", async () => {
    const page = await openUsers(CODEMIRROR);
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
    await page.keyboard.press("Delete");
    await expectBoth(page, ["detached"]);
    await page.keyboard.press("Control+z");
    await expectBoth(page, ["attached thirty"]);
  });

  test("can be added, opened and stepped through by users who cannot type", async () => {
    const page = await openUsers(CODEMIRROR, { isReadOnly: true });
    await select(page, "grace", "Delivery");
    await page.keyboard.type("x");
    await page.keyboard.press("Control+Alt+m");
    await expect.poll(() => page.evaluate("users.grace.comments.getState().draft?.quote.exact")).toBe("Delivery");
    await add(page, "grace", "second");
    await select(page, "grace", "within");
    await add(page, "grace", "first");
    await expectBoth(page, ["attached within", "attached Delivery"]);
    const active = () => page.evaluate("users.grace.comments.getState().activeId");
    expect(await active()).toBe("thread-first");
    await page.keyboard.press("Alt+F9");
    expect(await active()).toBe("thread-second");
    await select(page, "grace", "within", 2);
    expect(await active()).toBe("thread-first");
    await page.locator("[aria-label=grace] .colloquy-gutter-mark").nth(1).click();
    expect(await active()).toBe("thread-second");
  });

  test("have a place beside lines that are not drawn, and are drawn there once they are opened", async () => {
    const page = await openUsers(CODEMIRROR, { lineCount: 3_000 });
    await page.addStyleTag({ content: ".cm-editor { height: 200px; } .cm-scroller { overflow: auto; }" });
    const state = () =>
      page.evaluate<{ top: number; isDrawn: boolean; scrollTop: number }>(`(() => {
        const { view, comments } = users.ada;
        const isDrawn = view.contentDOM.textContent.includes("Line 2500");
        return { top: comments.getRect("thread-far").top, isDrawn, scrollTop: view.scrollDOM.scrollTop };
      })()`);
    await page.evaluate(`(() => {
      const { view } = users.ada;
      const from = view.state.doc.toString().indexOf("Line 2500");
      view.dispatch({ selection: { anchor: from, head: from + 9 } });
    })()`);
    await add(page, "ada", "far");
    // The line with the cursor is always drawn.
    await page.evaluate("users.ada.view.dispatch({ selection: { anchor: 0 }, scrollIntoView: true })");
    await expect.poll(async () => (await state()).isDrawn).toBe(false);
    expect((await state()).top).toBeGreaterThan(20_000);
    await page.evaluate("users.ada.comments.openNext()");
    await expect.poll(async () => (await state()).isDrawn).toBe(true);
    expect((await state()).top).toBeLessThan(300);
    expect(await getHighlights(page, "ada")).toEqual(["attached Line 2500"]);
  });

  test("have cards at the height of their text, which make way for the open one and never overlap", async () => {
    const page = await openUsers(CODEMIRROR);
    for (const word of ["Terms", "Payment", "thirty", "Delivery"]) {
      await select(page, "ada", word);
      await add(page, "ada", word);
    }
    await page.evaluate("users.ada.comments.open(undefined)");
    await showCards(page, "ada", 40);
    const [terms = 0, payment = 0] = await getOffsets(page, "ada");
    expect(Math.abs(terms)).toBeLessThan(2);
    expect(payment).toBeGreaterThan(2);
    await page.evaluate('users.ada.comments.open("thread-Delivery")');
    await expect.poll(async () => Math.abs((await getOffsets(page, "ada"))[3] ?? 100)).toBeLessThan(2);
    expect(await countOverlaps(page)).toBe(0);
    await select(page, "ada", "Terms", 0);
    for (let count = 0; count < 9; count += 1) await page.keyboard.press("Enter");
    await expect.poll(async () => Math.abs((await getOffsets(page, "ada"))[0] ?? 100)).toBeLessThan(2);
    await page.evaluate("document.querySelector('.cards').firstElementChild.style.height = '90px'");
    await expect.poll(() => countOverlaps(page)).toBe(0);
  });
});
