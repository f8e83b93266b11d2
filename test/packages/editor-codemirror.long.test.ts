import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { keepCardsApart } from "./editor-cards.ts";
import { add, followEdits, getHighlights, openUsers, stepThrough, USERS } from "./editor-users.ts";

const CODEMIRROR = `${USERS}
import { Awareness } from "y-protocols/awareness";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { commentsExtension, commentsGutter } from "@colloquy/editor/codemirror";
import { yCollab, yUndoManagerKeymap } from "y-codemirror.next";

function create(parent, document, threads, { editable = true } = {}) {
  const text = document.getText("content");
  const extensions = [
    commentsExtension(threads),
    commentsGutter(threads),
    keymap.of(yUndoManagerKeymap),
    lineNumbers(),
    EditorState.readOnly.of(!editable),
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
    await followEdits(await openUsers(CODEMIRROR));
  });

  test("can be added, opened and stepped through by users who cannot type", async () => {
    const page = await openUsers(CODEMIRROR, { editable: false });
    await stepThrough(page);
    await page.locator("[aria-label=grace] .colloquy-gutter-mark").nth(1).click();
    expect(await page.evaluate("users.grace.comments.getState().activeId")).toBe("thread-second");
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
    await keepCardsApart(await openUsers(CODEMIRROR));
  });
});
