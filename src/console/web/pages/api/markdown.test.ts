import { expect, test } from "vitest";
import { type Block, parseMarkdown } from "./markdown.ts";

function outline(blocks: Block[]): string[] {
  return blocks.map(({ kind, lines }) => {
    const texts = lines.map((spans) => spans.map((span) => `${span.kind}(${span.text})`).join(""));
    return `${kind}: ${texts.join(" / ")}`;
  });
}

test("headings, paragraphs, lists, code and bold text are parsed", () => {
  const text =
    "One `a * b`\nline **on**.\n## Pages\nText\n- `x`: one\n  goes on\n- two\n\n- other list\nnot [a](link) <b>";
  expect(outline(parseMarkdown(text))).toEqual([
    "paragraph: text(One )code(a * b)text( line )bold(on)text(.)",
    "heading: text(Pages)",
    "paragraph: text(Text)",
    "list: code(x)text(: one goes on) / text(two)",
    "list: text(other list not [a](link) <b>)",
  ]);
});

test.each(["", "\n\n"])("%j has no blocks", (text) => {
  expect(parseMarkdown(text)).toEqual([]);
});
