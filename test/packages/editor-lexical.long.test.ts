import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { keepCardsApart } from "./editor-cards.ts";
import { add, expectBoth, followEdits, getText, openUsers, select, stepThrough, USERS } from "./editor-users.ts";

const LEXICAL = `${USERS}
import { Awareness } from "y-protocols/awareness";
import { LexicalComposer } from "@lexical/react/LexicalComposer";
import { LexicalCollaboration } from "@lexical/react/LexicalCollaborationContext";
import { CollaborationPlugin } from "@lexical/react/LexicalCollaborationPlugin";
import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { ContentEditable } from "@lexical/react/LexicalContentEditable";
import { LexicalErrorBoundary } from "@lexical/react/LexicalErrorBoundary";
import { RichTextPlugin } from "@lexical/react/LexicalRichTextPlugin";
import { $createParagraphNode, $createTextNode, $createLineBreakNode, $getRoot } from "lexical";
import { createElement as h, StrictMode, useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { connectLexical, registerComments } from "@colloquy/editor/lexical";

function Comments({ threads, collaboration, user }) {
  const [editor] = useLexicalComposerContext();
  useEffect(() => {
    users[user].editor = editor;
    return registerComments(editor, threads, collaboration);
  }, [editor, threads, collaboration]);
  return null;
}

function Editor({ provider, threads, user, editable = true }) {
  const collaboration = useMemo(() => connectLexical(provider), [provider]);
  const initialConfig = { namespace: user, editorState: null, nodes: [], editable, onError(error) { throw error; } };
  return h(LexicalCollaboration, null, h(LexicalComposer, { initialConfig },
    h(RichTextPlugin, {
      contentEditable: h(ContentEditable, { style: { whiteSpace: "pre-wrap" }, role: "textbox" }),
      ErrorBoundary: LexicalErrorBoundary,
    }),
    h(CollaborationPlugin, {
      id: "body", providerFactory: collaboration.providerFactory, shouldBootstrap: false, username: user,
    }),
    h(Comments, { threads, collaboration, user })));
}

function Page(props) {
  const [isShown, show] = useState(true);
  users[props.user].show = show;
  return h(StrictMode, null, isShown && h(Editor, props));
}

function create(user) {
  return (region, document, threads, options) => {
    const provider = {
      ...{ document, awareness: new Awareness(document), isSynced: true },
      on: () => { users[user].isConnected = true; },
      off() {},
    };
    createRoot(region).render(h(Page, { provider, threads, user, ...options }));
    return {};
  };
}

window.open = async (options) => {
  addUser("ada", create("ada"));
  while (!users.ada.isConnected) await new Promise((resolve) => setTimeout(resolve));
  users.ada.editor.update(() => {
    const paragraph = (...texts) => $createParagraphNode().append(...texts);
    const bold = $createTextNode("thirty").toggleFormat("bold");
    $getRoot().clear().append(
      paragraph($createTextNode("Terms")),
      paragraph(
        ...[$createTextNode("Payment is due within "), bold, $createTextNode(" days.")],
        ...[$createLineBreakNode(), $createTextNode("Soon.")],
      ),
      paragraph($createTextNode("Delivery follows.")),
    );
  });
  addUser("grace", create("grace"), options);
};`;

describeInBrowser("comments in Lexical", () => {
  test("an editor that is shown late or again has the content once", async () => {
    const page = await openUsers(LEXICAL);
    const text = "Terms\n\nPayment is due within thirty days.\nSoon.\n\nDelivery follows.";
    const read = (user: string) => getText(page, user).innerText();
    await expect.poll(() => read("grace")).toBe(text);
    for (const isShown of [false, true]) await page.evaluate(`users.grace.show(${isShown})`);
    await expect.poll(() => read("grace")).toBe(text);
    await select(page, "grace", "Delivery", 0);
    await page.keyboard.type("Then ");
    for (const user of ["ada", "grace"]) await expect.poll(() => read(user)).toBe(text.replace("Del", "Then Del"));
  });

  test("follow edits before and inside, a deletion, and its undo for both users", async () => {
    await followEdits(await openUsers(LEXICAL));
  });

  test("span blocks, formats and line breaks, and paragraphs that are split and merged", async () => {
    const page = await openUsers(LEXICAL);
    await page.evaluate("getSelection().removeAllRanges()");
    const drag = async (from: string, to: string) => {
      await select(page, "ada", from, 0);
      await page.keyboard.down("Shift");
      await select(page, "ada", to, to.length);
      await page.keyboard.up("Shift");
    };
    await drag("due", "Delivery");
    await add(page, "ada", "all");
    await expectBoth(page, ["attached due within thirty days.Soon.Delivery"]);
    await select(page, "grace", "within", 3);
    await page.keyboard.press("Enter");
    await expectBoth(page, ["attached due within thirty days.Soon.Delivery"]);
    await page.keyboard.press("Backspace");
    await expectBoth(page, ["attached due within thirty days.Soon.Delivery"]);
  });

  test("leave the elements of the editor as they are", async () => {
    const page = await openUsers(LEXICAL);
    const html = () => getText(page, "ada").innerHTML();
    const before = await html();
    await select(page, "ada", "thirty");
    await add(page, "ada", "why");
    await expectBoth(page, ["attached thirty"]);
    expect(await html()).toBe(before);
  });

  test("can be added, opened and stepped through by users who cannot type", async () => {
    await stepThrough(await openUsers(LEXICAL, { editable: false }));
  });

  test("have cards at the height of their text, which make way for the open one and never overlap", async () => {
    await keepCardsApart(await openUsers(LEXICAL));
  });
});
