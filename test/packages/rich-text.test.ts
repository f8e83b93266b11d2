import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { openSourcePage } from "./source-page.ts";

/** HTML that attacks, or that other programs write, with the HTML that remains of it. */
const CASES: [title: string, html: string, remaining: string][] = [
  ["a script", "<p>a<script>window.hit = 1</script>b</p>", "<p>ab</p>"],
  ["an event handler", '<img src=x onerror="window.hit = 1"><p onclick="window.hit = 1">a</p>', "<p>a</p>"],
  ["a link that runs a script", '<a href="javascript:window.hit = 1">a</a>', "<p>a</p>"],
  ["a disguised script", '<a href=" java&#x09;script&colon;window.hit = 1">a</a>', "<p>a</p>"],
  ["an upper-case script", '<a href="JAVASCRIPT:window.hit = 1">a</a>', "<p>a</p>"],
  ["a data URL", '<a href="data:text/html,<script>window.hit = 1</script>">a</a>', "<p>a</p>"],
  ["a vbscript URL", '<a href="vbscript:hit()">a</a><a href="blob:https://a/b">b</a>', "<p>ab</p>"],
  ["a relative link", '<a href="/admin?delete">a</a><a href="//evil.example">b</a>', "<p>ab</p>"],
  [
    "a safe link",
    '<a href="https://a.example/?b=1&amp;c=%22" target=_top style="color:red">a</a>',
    '<p><a href="https://a.example/?b=1&amp;c=%22">a</a></p>',
  ],
  ["a mail link", '<a href="mailto:ada@example.com">Ada</a>', '<p><a href="mailto:ada@example.com">Ada</a></p>'],
  [
    "nested links",
    '<a href="https://a.example"><table><a href="https://b.example">b</a></table></a>',
    '<p><a href="https://b.example/">b</a></p>',
  ],
  [
    "entities",
    "<p>&lt;script&gt;window.hit = 1&lt;/script&gt; &amp;lt; &quot;</p>",
    "<p>&lt;script&gt;window.hit = 1&lt;/script&gt; &amp;lt; &quot;</p>",
  ],
  ["mutation in MathML", '<math><mtext><table><mglyph><style><img src=x onerror="window.hit = 1">', ""],
  ["SVG", '<svg><animate onbegin="window.hit = 1"/><foreignObject><p>a</p></foreignObject></svg>b', "<p>b</p>"],
  [
    "frames and objects",
    '<iframe srcdoc="<script>top.hit = 1</script>"></iframe><object data=x>a</object>b',
    "<p>b</p>",
  ],
  ["forms", '<form action="https://evil.example"><input value=a><button>b</button></form>', "<p>b</p>"],
  ["a template", "<template><script>window.hit = 1</script></template>a", "<p>a</p>"],
  [
    "a base and a refresh",
    '<base href="https://evil.example"><meta http-equiv=refresh content="0;url=x">a',
    "<p>a</p>",
  ],
  ["an unclosed attribute", '<p>a</p><img src="x` `<script>window.hit = 1</script>"` `>', "<p>a</p>"],
  ["a comment", "<!--><script>window.hit = 1</script>-->a", "<p>--&gt;a</p>"],
  ["styles", '<style>*{display:none}</style><p style="position:fixed;inset:0">a</p>', "<p>a</p>"],
  ["IDs and names", '<p id="root" name="location" class="colloquy-dialog">a</p>', "<p>a</p>"],
  [
    "Google Docs",
    '<b style="font-weight:normal" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">a</span>' +
      '<span style="font-style:italic"> b</span></p><br></b>',
    "<p><strong>a</strong><em> b</em></p>",
  ],
  [
    "Word",
    '<p class="MsoNormal">a<o:p></o:p></p><p class="MsoListParagraphCxSpFirst"><span style="mso-list:Ignore">·' +
      '<span>&nbsp; </span></span>b</p><p class="MsoListParagraphCxSpLast"><span style="mso-list:Ignore">·</span>c</p>',
    "<p>a</p><ul><li>b</li><li>c</li></ul>",
  ],
  ["headings and tables", "<h1>a</h1><table><tr><td>b</td><td>c</td></tr></table>", "<p>a</p><p>b</p><p>c</p>"],
  ["a list without a list", "<li>a</li>b<ul>c<p>d</p></ul>", "<p>a</p><p>b</p><ul><li>d</li></ul>"],
  ["lists in lists", "<ul><li>a<ol><li>b</li></ol></li></ul>", "<ul><li>a<ol><li>b</li></ol></li></ul>"],
  ["lines", "<div>a</div><div><br></div><div>b<br>c</div>", "<p>a</p><p><br></p><p>b<br>c</p>"],
  ["code", "<pre>a\n  <b>b</b></pre><p><tt>c</tt></p>", "<pre>a\n  b</pre><p><code>c</code></p>"],
];

function openRichText(): Promise<Page> {
  return openSourcePage(["react/src/rich-text.ts"], "");
}

describeInBrowser("HTML of comments", () => {
  test("only the permitted tags remain, also when it is read again, and nothing of it runs", async () => {
    const page = await openRichText();
    const sanitize = (texts: string[]) =>
      page.evaluate<string[]>(`${JSON.stringify(texts)}.map((text) => toHtml(parseRichText(text)))`);
    const remaining = await sanitize(CASES.map(([, html]) => html));
    expect(CASES.map(([title], place) => [title, remaining[place]])).toEqual(
      CASES.map(([title, , rest]) => [title, rest]),
    );
    expect(await sanitize(remaining)).toEqual(remaining);
    expect(await page.evaluate("[window.hit, document.querySelectorAll('iframe, img').length]")).toEqual([
      undefined,
      0,
    ]);
  });

  test("deep HTML is flattened, and long HTML is not read", async () => {
    const page = await openRichText();
    const measure = (html: string) =>
      page.evaluate(`{
        const getDepth = (nodes) => Math.max(0, ...nodes.map(getNodeDepth));
        const getNodeDepth = ({ children }) => (children ? 1 + getDepth(children) : 0);
        const nodes = parseRichText(${html});
        nodes && [getDepth(nodes), toText(nodes)];
      }`);
    const [depth, text] = Object(await measure("'<blockquote>'.repeat(2000) + 'a'"));
    expect(depth).toBeLessThan(30);
    expect(text).toContain("a");
    const inline = Object(await measure("'<b><i>'.repeat(1000) + 'a'"));
    expect(inline[0]).toBeLessThan(30);
    expect(await measure("'a'.repeat(100_001)")).toBeUndefined();
    // Chromium would need 20 s for ten times as many tags.
    expect(await measure("'<a><b><i><u><s><font>'.repeat(501)")).toBeUndefined();
  });

  test("the plain form has the markers of lists and quotations, and the addresses of links", async () => {
    const page = await openRichText();
    const html =
      "<p><em>a </em><strong>b</strong> &nbsp;</p><ul><li>c</li><li>d<br>e</li></ul>" +
      "<ol><li>f</li></ol><blockquote><p>g</p><p>h</p>" +
      '</blockquote><pre>i\n j</pre><p><a href="https://a.example/k">l</a> ' +
      '<a href="https://a.example/k">a.example/k</a></p>';
    const text = "a b\n- c\n- d\n  e\n1. f\n> g\n> h\ni\n j\nl (https://a.example/k) a.example/k";
    expect(await page.evaluate(`toText(parseRichText(${JSON.stringify(html)}))`)).toBe(text);
  });
});
