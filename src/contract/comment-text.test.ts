import { expect, test } from "vitest";
import { getCommentText, toPlainText } from "./comment-text.ts";

test.each([
  ["<p>Is <b>§4</b> right?</p><p>Ask&nbsp;Grace.</p>", "Is §4 right?\nAsk Grace."],
  ["one<br>two<BR/>three", "one\ntwo\nthree"],
  ["<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>", "a\nb"],
  ["1 < 2 &amp;&amp; 3 &gt; 2 &#x1F600;&#33; &unknown;", "1 < 2 && 3 > 2 😀! &unknown;"],
  ['<img alt="a > b" src="x">after', "after"],
  ["<!-- <p>hidden</p> -->shown<style>p{}</style><script>let a = '<p>';</script>", "shown"],
  ["&lt;b&gt;escaped&lt;/b&gt; &amp;lt;", "<b>escaped</b> &lt;"],
  ["open <p", "open"],
  ["&#99999999;&#x110000;", "&#99999999;&#x110000;"],
])("the text of %s has its words and lines, without tags", (html, text) => {
  expect(toPlainText(html)).toBe(text);
});

test("the text of a comment takes precedence over its HTML, unless it is blank", () => {
  expect(getCommentText({ commentText: "plain", commentHtml: "<p>rich</p>" })).toBe("plain");
  expect(getCommentText({ commentText: " ", commentHtml: "<p>rich</p>" })).toBe("rich");
  expect(getCommentText({})).toBeUndefined();
});

test.each(["<!--", "<p '", "<", "<script>", "<style></", "&#"])("HTML of many %s blocks nobody for long", (part) => {
  const html = part.repeat(1_000_000);
  const begun = performance.now();
  expect(toPlainText(html).length).toBeLessThanOrEqual(100_000);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
