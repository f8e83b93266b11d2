import { expect, test } from "vitest";
import { MAIL_TRIGGERS, type MailEvent, renderMail } from "./templates.ts";

const EVENT: MailEvent = {
  annotationId: "a",
  trigger: "comment.add",
  actor: "Ada Lovelace",
  recipient: "Grace",
  document: "Contract 7",
  isRecipientAssigned: false,
  reason: "participant",
};
const SENDER = "notices@example.com";

function getSubject(fields: Partial<MailEvent>): string {
  return renderMail({ ...EVENT, ...fields }, SENDER).subject;
}

test.each<[string, Partial<MailEvent>]>([
  ["Ada Lovelace commented on Contract 7", { trigger: "comment_annotation.add" }],
  ["Ada Lovelace replied on Contract 7", { trigger: "comment.add" }],
  ["Ada Lovelace replied on Contract 7", { trigger: "comment.add", reason: "assigned" }],
  ["Ada Lovelace mentioned you on Contract 7", { trigger: "comment_annotation.add", reason: "mentioned" }],
  ["Ada Lovelace mentioned you on Contract 7", { trigger: "comment.add", reason: "mentioned" }],
  [
    "Ada Lovelace changed the status of a comment on Contract 7 from Open to Resolved",
    { trigger: "comment_annotation.status_change", from: "Open", to: "Resolved" },
  ],
  [
    "Ada Lovelace assigned a comment on Contract 7 to you",
    { trigger: "comment_annotation.assign", assignee: "Grace", isRecipientAssigned: true },
  ],
  ["Ada Lovelace assigned a comment on Contract 7 to Alan", { trigger: "comment_annotation.assign", assignee: "Alan" }],
  ["Ada Lovelace took the assignment from a comment on Contract 7", { trigger: "comment_annotation.assign" }],
  [
    "Ada Lovelace changed the priority of a comment on Contract 7 to High",
    { trigger: "comment_annotation.priority_change", to: "High" },
  ],
  [
    "Ada Lovelace removed the priority of a comment on Contract 7",
    { trigger: "comment_annotation.priority_change", from: "High" },
  ],
])("%s", (subject, fields) => {
  expect(getSubject(fields)).toBe(subject);
});

test("a mail says who did what, what was written, and how to unsubscribe", () => {
  const { text } = renderMail({ ...EVENT, text: "See §4.\nIt is wrong." }, SENDER);
  expect(text).toBe(
    [
      "Hello Grace,",
      "Ada Lovelace replied on Contract 7.",
      "> See §4.\n> It is wrong.",
      "-- \nYou get this mail because you take part in the conversation. To get no more of them, send a mail to " +
        'notices@example.com with the subject "unsubscribe".',
      "",
    ].join("\n\n"),
  );
});

test.each([
  ["mentioned", "You get this mail because you were mentioned."],
  ["assigned", "You get this mail because the comment is assigned to you."],
  ["participant", "You get this mail because you take part in the conversation."],
] as const)("%s: the text and the HTML state why the mail was sent", (reason, sentence) => {
  const { text, html } = renderMail({ ...EVENT, reason }, SENDER);
  expect(text).toContain(sentence);
  expect(html).toContain(sentence);
});

const HOSTILE = `<script>alert("x")</script>&'\u0000\r\nBcc: eve@example.com\ud800\u202egnp.exe`;

test.each(MAIL_TRIGGERS)("%s: text of users adds no markup, line or change of direction", (trigger) => {
  const texts = { actor: HOSTILE, recipient: HOSTILE, document: HOSTILE, text: HOSTILE, from: HOSTILE, to: HOSTILE };
  const { subject, text, html } = renderMail({ ...EVENT, trigger, ...texts, assignee: HOSTILE }, SENDER);
  expect(subject).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(html).not.toMatch(/<script|"x"|'\s/);
  expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;");
  for (const part of [subject, text, html]) {
    expect(part.isWellFormed()).toBe(true);
    expect(part).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  }
});

test("a long text is truncated between characters", () => {
  const { subject, text } = renderMail({ ...EVENT, actor: "😀".repeat(1_000), text: "é".repeat(100_000) }, SENDER);
  expect(subject.length).toBeLessThan(300);
  expect(subject.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThan(5_000);
});

test("the HTML keeps line breaks without a style, and leaves the direction of texts to their first letters", () => {
  const { html } = renderMail({ ...EVENT, text: "שלום!\r\n  two" }, SENDER);
  expect(html).toMatch(/<blockquote dir="auto" style="[^"]*white-space:pre-wrap[^"]*">שלום!<br> {2}two<\/blockquote>/);
  expect(html.match(/<p dir="auto">/g)).toHaveLength(2);
});

test("a name in Hebrew or Arabic turns neither the sentence around it nor the greeting", () => {
  const { html, subject } = renderMail({ ...EVENT, actor: "נועה", recipient: "ليلى" }, SENDER);
  expect(html).toContain('<p dir="auto">Hello <bdi>ليلى</bdi>,</p>');
  expect(html).toContain('<p dir="auto"><bdi>נועה</bdi> replied on <bdi>Contract 7</bdi>.</p>');
  expect(subject).toBe("נועה replied on Contract 7");
});

test("the bar of a quote is on the side where its text begins", () => {
  const getSide = (text: string) => /border-(\w+):4px/.exec(renderMail({ ...EVENT, text }, SENDER).html)?.[1];
  expect(["Hello שלום", "12. שלום hello", "@ليلى", "?!"].map(getSide)).toEqual(["left", "right", "right", "left"]);
});

test("events of one page have one link, after the last of them", () => {
  const [here, there] = ["https://app.example/1", "https://app.example/2"];
  const further = [{ ...EVENT, url: here }, { ...EVENT, url: there }, EVENT];
  const { text, html } = renderMail({ ...EVENT, url: here, further }, SENDER);
  expect(text.match(/Open the page: \S+/g)).toEqual([here, there].map((url) => `Open the page: ${url}`));
  expect(html.match(/Open the page/g)).toHaveLength(2);
});

test("the HTML fits a narrow client and a dark one", () => {
  const { html } = renderMail(EVENT, SENDER);
  expect(html).toContain('<meta name="viewport" content="width=device-width">');
  expect(html).toContain("prefers-color-scheme:dark");
  expect(html).not.toMatch(/body style="[^"]*(?<!-)color:/);
});

test("a mail links to the page of the annotation, and says on which host it is", () => {
  const { html, text } = renderMail({ ...EVENT, url: "https://app.example/doc?a=1&b=2" }, SENDER);
  expect(html).toContain('<a href="https://app.example/doc?a=1&amp;b=2">Open the page</a> on app.example');
  expect(text).toContain("\n\nOpen the page: https://app.example/doc?a=1&b=2\n\n");
});
