import { describe, expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { showCards } from "./editor-cards.ts";
import { add, expectBoth, followEdits, getHighlights, getText, openUsers, select, USERS } from "./editor-users.ts";

const TIPTAP = `${USERS}
import { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import StarterKit from "@tiptap/starter-kit";
import { Comments } from "@colloquy/editor/tiptap";

function create(element, document, threads, options) {
  const editor = new Editor({
    element,
    ...options,
    editorProps: { attributes: { role: "textbox", tabindex: "0" } },
    extensions: [
      StarterKit.configure({ undoRedo: false, trailingNode: false }),
      Collaboration.configure({ document }),
      Comments.configure({ comments: threads }),
    ],
  });
  return { editor, view: editor.view };
}
window.open = (options) => {
  addUser("ada", create);
  const text = "<h1>Terms</h1><p>Payment is due within thirty days.</p>";
  users.ada.editor.commands.setContent(text + "<ul><li><p>One</p></li></ul>");
  addUser("grace", create, options);
};`;

const PROSEMIRROR = `${USERS}
import { Schema } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { keymap } from "prosemirror-keymap";
import { baseKeymap } from "prosemirror-commands";
import { ySyncPlugin, yUndoPlugin, undo } from "y-prosemirror";
import { commentsPlugin } from "@colloquy/editor/prosemirror";

const block = { content: "text*", group: "block" };
const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    heading: { ...block, parseDOM: [{ tag: "h1" }], toDOM: () => ["h1", 0] },
    paragraph: { ...block, parseDOM: [{ tag: "p" }], toDOM: () => ["p", 0] },
    text: {},
  },
});
function create(element, document, threads, options) {
  const plugins = [
    commentsPlugin(threads),
    ySyncPlugin(document.getXmlFragment("default")), yUndoPlugin(), keymap({ "Mod-z": undo }), keymap(baseKeymap),
  ];
  return { view: new EditorView(element, {
    state: EditorState.create({ schema, plugins }),
    attributes: { role: "textbox", tabindex: "0" },
    ...(options?.editable === false && { editable: () => false }),
  }) };
}
window.open = (options) => {
  addUser("ada", create);
  const { view } = users.ada;
  const node = (type, text) => schema.node(type, null, schema.text(text));
  const texts = ["Payment is due within thirty days.", "One"];
  const content = [node("heading", "Terms"), ...texts.map((text) => node("paragraph", text))];
  view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, content));
  addUser("grace", create, options);
};`;

describeInBrowser("comments in ProseMirror", () => {
  describe.each([
    ["Tiptap", TIPTAP],
    ["y-prosemirror", PROSEMIRROR],
  ])("with %s", (_name, script) => {
    test("follow edits before and inside, a deletion, and its undo for both users", async () => {
      await followEdits(await openUsers(script));
    });

    test("are opened by a click and by keys, and the innermost of several is opened", async () => {
      const page = await openUsers(script);
      for (const [word, text] of [
        ["is due within thirty", "outer"],
        ["Terms", "title"],
        ["due", "inner"],
      ]) {
        await select(page, "ada", word ?? "");
        await add(page, "ada", text ?? "");
      }
      const active = (user: string) => page.evaluate(`users.${user}.comments.getState().activeId`);
      await expect
        .poll(() => getHighlights(page, "grace"))
        .toEqual(["Terms", "is due within thirty", "due"].map((text) => `attached ${text}`));
      await select(page, "grace", "due", 1);
      await expect.poll(() => active("grace")).toBe("thread-inner");
      await select(page, "grace", "within", 1);
      await expect.poll(() => active("grace")).toBe("thread-outer");
      await select(page, "grace", "days", 1);
      await expect.poll(() => active("grace")).toBeUndefined();
      for (const id of ["title", "outer", "inner", "title"]) {
        await page.keyboard.press("Alt+F9");
        expect(await active("grace")).toBe(`thread-${id}`);
      }
      await page.keyboard.press("Shift+Alt+F9");
      expect(await active("grace")).toBe("thread-inner");
      const shown = page.getByRole("region", { name: "grace" }).locator("mark[data-active]");
      expect(await shown.allTextContents()).toEqual(["due"]);
      await page.keyboard.type("not ");
      await expect.poll(() => getText(page, "ada").innerText()).toContain("is not due within");
    });

    test("are begun by keys, also by a user who may not type, and keep their text without the selection", async () => {
      const page = await openUsers(script, { editable: false });
      await select(page, "grace", "thirty");
      await page.keyboard.press("Control+Alt+M");
      const draft = page.getByRole("region", { name: "grace" }).locator("mark:not([data-annotation-id])");
      expect(await draft.allTextContents()).toEqual(["thirty"]);
      await select(page, "ada", "within", 0);
      await page.keyboard.type("paid ");
      await expect.poll(() => getText(page, "grace").innerText()).toContain("due paid within thirty");
      expect(await draft.allTextContents()).toEqual(["thirty"]);
      await add(page, "grace", "why");
      await expectBoth(page, ["attached thirty"]);
      expect(await draft.count()).toBe(0);
    });

    test("are pending until the text is there, and their text refers to their cards", async () => {
      const page = await openUsers(script);
      await page.evaluate("isOnline = false");
      await select(page, "ada", "thirty");
      await page.keyboard.type("sixty");
      await select(page, "ada", "sixty");
      await add(page, "ada", "why");
      await expect.poll(() => getHighlights(page, "grace")).toEqual(["pending"]);
      await page.evaluate("connect()");
      await expectBoth(page, ["attached sixty"]);
      await showCards(page, "grace", 50);
      const mark = page.getByRole("region", { name: "grace" }).locator("mark");
      const getCard = () => mark.getAttribute("aria-details");
      await expect.poll(getCard).toBe("colloquy-card-thread-why");
      expect(await page.locator(`#${await getCard()}`).getAttribute("data-annotation-id")).toBe("thread-why");
      await page.locator(".cards > *").evaluate((card) => card.remove());
      await expect.poll(getCard).toBe(null);
    });

    test("span blocks, and are in no content", async () => {
      const page = await openUsers(script);
      await page.evaluate("users.ada.view.focus()");
      await page.keyboard.press("Control+A");
      const before = await page.evaluate("users.ada.view.state.doc.toString()");
      expect(await page.evaluate("users.ada.comments.startComment()")).toBe(true);
      await add(page, "ada", "all");
      await expectBoth(page, ["attached TermsPayment is due within thirty days.One"]);
      expect(await page.evaluate("users.grace.view.state.doc.toString()")).toBe(before);
    });
  });
});
