import { join } from "node:path";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { openScript } from "./source-page.ts";

const SOURCE = join(import.meta.dirname, "../../packages/react/src/comment-text.tsx");
const PAGE = `
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { CommentText } from ${JSON.stringify(SOURCE)};

globalThis.render = (comment) => {
  document.body.innerHTML = renderToStaticMarkup(createElement(CommentText, { comment }));
};`;

describeInBrowser("the text of a comment", () => {
  test("has at most a thousand links and mentions, and all of its characters", async () => {
    const page = await openScript(PAGE);
    const comment = { commentText: "a b ".repeat(5_000), taggedUserContacts: [{ userId: "ada", text: "a" }] };
    await page.evaluate(`render(${JSON.stringify(comment)})`);
    expect(await page.locator(".colloquy-mention").count()).toBe(1_000);
    expect(await page.evaluate("document.body.textContent")).toBe(comment.commentText);
  });
});
