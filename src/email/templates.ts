export const MAIL_TRIGGERS = [
  "comment_annotation.add",
  "comment.add",
  "comment_annotation.status_change",
  "comment_annotation.assign",
  "comment_annotation.priority_change",
] as const;
export type MailTrigger = (typeof MAIL_TRIGGERS)[number];

/** Event that a mail reports. Its texts are untrusted. */
export interface MailEvent {
  /** The annotation, and the comment if the event is about one. */
  annotationId: string;
  commentId?: number | undefined;
  /** Address of the page on which the annotation was made, http or https. */
  url?: string | undefined;
  /** ID that the changes of one update have in common, in a digest of several. */
  updateId?: string | undefined;
  trigger: MailTrigger;
  actor: string;
  recipient: string;
  document: string;
  /** Text of the comment. */
  text?: string | undefined;
  /** Status or priority before and after; absent if there was none. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whether the status says that the discussion is resolved. */
  isResolved?: boolean | undefined;
  assignee?: string | undefined;
  isRecipientAssigned: boolean;
  /** Reason why the recipient gets the mail. */
  reason: Reason;
  /** The other events of a digest, after this one. */
  further?: MailEvent[] | undefined;
}

export type Reason = keyof typeof REASONS;

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const MAX_LINE_LENGTH = 120;
const MAX_TEXT_LENGTH = 4_000;
/** Maximum length of each text in a digest, which has up to 50. */
const MAX_DIGEST_TEXT_LENGTH = 500;

const REASONS = {
  mentioned: "you were mentioned",
  assigned: "the comment is assigned to you",
  participant: "you take part in the conversation",
};

/** One sentence for each trigger, without a full stop. It is also the subject. */
const SENTENCES: Record<MailTrigger, (event: MailEvent) => string> = {
  "comment_annotation.add": (event) => commentedBy(event, "commented"),
  "comment.add": (event) => commentedBy(event, "replied"),
  "comment_annotation.status_change": (event) => `${event.actor} ${getStatusChange(event)}`,
  "comment_annotation.assign": ({ actor, document, assignee, isRecipientAssigned }) => {
    if (isRecipientAssigned) return `${actor} assigned a comment on ${document} to you`;
    return assignee === undefined
      ? `${actor} took the assignment from a comment on ${document}`
      : `${actor} assigned a comment on ${document} to ${assignee}`;
  },
  "comment_annotation.priority_change": (event) => `${event.actor} ${getChange("priority", event)}`,
};

function commentedBy({ actor, document, reason }: MailEvent, did: string): string {
  return `${actor} ${reason === "mentioned" ? "mentioned you" : did} on ${document}`;
}

function getStatusChange(event: MailEvent): string {
  const { document, to, isResolved } = event;
  if (!isResolved || !to) return getChange("status", event);
  return `resolved a comment on ${document} as ${to}`;
}

function getChange(what: string, { document, from, to }: MailEvent): string {
  if (!to) return `removed the ${what} of a comment on ${document}`;
  return `changed the ${what} of a comment on ${document} ${!from ? "" : `from ${from} `}to ${to}`;
}

/** Returns the event with its texts cut to what a mail shows, in lines without control characters. */
export function bounded(event: MailEvent): MailEvent {
  if (event.further === undefined) return boundedEvent(event, MAX_TEXT_LENGTH);
  const further = event.further.map((other) => boundedEvent(other, MAX_DIGEST_TEXT_LENGTH));
  return { ...boundedEvent(event, MAX_DIGEST_TEXT_LENGTH), further };
}

function boundedEvent(event: MailEvent, maxTextLength: number): MailEvent {
  const optional = (text: string | undefined) => (text === undefined ? undefined : line(text));
  return {
    annotationId: event.annotationId,
    commentId: event.commentId,
    url: event.url,
    updateId: event.updateId,
    trigger: event.trigger,
    actor: line(event.actor),
    recipient: line(event.recipient),
    document: line(event.document),
    text: event.text === undefined ? undefined : paragraph(event.text, maxTextLength),
    from: optional(event.from),
    to: optional(event.to),
    isResolved: event.isResolved,
    assignee: optional(event.assignee),
    isRecipientAssigned: event.isRecipientAssigned,
    reason: event.reason,
  };
}

/** Renders a mail. Unsubscribe requests go to the address `sender` if there is no web page for them. */
export function renderMail(given: MailEvent, sender: string, unsubscribeUrl?: string): RenderedMail {
  const { further = [], ...first } = bounded(given);
  const events = [first, ...further].map((event, index) => {
    const url = getLink(event);
    // A link follows the last of the events that have it in common.
    const isShared = url !== undefined && url === further[index]?.url;
    const isolated = toHtml(SENTENCES[event.trigger](withIsolatedNames(event)));
    const sentence = SENTENCES[event.trigger](event);
    return { sentence, isolated, written: event.text ?? "", url: isShared ? undefined : url };
  });
  const subject = getSubject([first, ...further]);
  const greeting = `Hello ${first.recipient},`;
  const reason = `You get this mail because ${REASONS[first.reason]}. To get no more of them,`;
  const byMail = `send a mail to ${sender} with the subject "unsubscribe".`;
  const footer = `${reason} ${unsubscribeUrl === undefined ? byMail : `unsubscribe: ${unsubscribeUrl}`}`;
  const linked = unsubscribeUrl !== undefined && `<a href="${escapeHtml(unsubscribeUrl)}">unsubscribe</a>.`;
  const paragraphs = events.flatMap(({ sentence, written, url }) => [
    `${sentence}.`,
    ...(written ? [quoted(written)] : []),
    ...(url ? [`Open the page: ${url}`] : []),
  ]);
  return {
    subject,
    text: [greeting, ...paragraphs, `-- \n${footer}`, ""].join("\n\n"),
    html: htmlPage(subject, [
      `<p dir="auto">Hello ${toHtml(isolate(first.recipient))},</p>`,
      ...events.flatMap(({ isolated, written, url }) => [
        `<p dir="auto">${isolated}.</p>`,
        ...(written
          ? [`<blockquote dir="auto" style="${quoteStyle(written)}">${withBreaks(written)}</blockquote>`]
          : []),
        ...(url ? [`<p><a href="${escapeHtml(url)}">Open the page</a> on ${escapeHtml(new URL(url).host)}</p>`] : []),
      ]),
      `<p class="footer" style="${FOOTER_STYLE}">${escapeHtml(reason)} ${linked || escapeHtml(byMail)}</p>`,
    ]),
  };
}

/** Returns the sentence of one event, what several changes of one update are, or the number of updates. */
function getSubject(events: readonly MailEvent[]): string {
  const [first, ...others] = events;
  if (!first) return "";
  if (others.length === 0) return SENTENCES[first.trigger](first);
  const updates = new Set(events.map(({ updateId }) => updateId)).size;
  if (updates === 1) return `${first.actor} updated a comment on ${first.document}`;
  return `${updates} updates on ${first.document}`;
}

/** U+2068 and U+2069: the text between them has a direction of its own. Texts of users have none of these. */
const [ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];

function isolate(name: string): string {
  return name === "" ? "" : `${ISOLATE}${name}${POP_ISOLATE}`;
}

/** Isolates what users have named, so that a name in Hebrew or Arabic does not turn the sentence around it. */
function withIsolatedNames(event: MailEvent): MailEvent {
  const optional = (name: string | undefined) => (name === undefined ? undefined : isolate(name));
  const { actor, document, from, to, assignee } = event;
  return {
    ...{ ...event, actor: isolate(actor), document: isolate(document) },
    ...{ from: optional(from), to: optional(to), assignee: optional(assignee) },
  };
}

/** Returns the HTML of a sentence, whose isolated names `dir="auto"` ignores. */
function toHtml(sentence: string): string {
  return escapeHtml(sentence).replaceAll(ISOLATE, "<bdi>").replaceAll(POP_ISOLATE, "</bdi>");
}

/** Matches a text whose first letter is written from the right to the left. */
const FROM_RIGHT = /^\P{L}*[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;

/** Returns the style of a quote, with its bar on the side where the text begins. Few clients know logical sides. */
function quoteStyle(text: string): string {
  const side = FROM_RIGHT.test(text) ? "right" : "left";
  return `margin:16px 0;padding:4px 16px;border-${side}:4px solid #999999;white-space:pre-wrap`;
}

/** Maximum length of a link, which mail programs may cut. */
const MAX_LINK_LENGTH = 2_000;

function getLink({ url = "" }: MailEvent): string | undefined {
  return url !== "" && url.length <= MAX_LINK_LENGTH ? url : undefined;
}

/** Returns HTML with a `<br>` for each line break, because Outlook ignores `white-space`. */
function withBreaks(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}

const BODY_STYLE =
  "font:16px/1.5 system-ui,sans-serif;max-width:600px;margin:24px auto;padding:0 16px;overflow-wrap:anywhere";
/** Colors of clients with a light and with a dark background. Those that ignore it show their own. */
const COLORS = [
  ":root{color-scheme:light dark}body{color:#1a1a1a;background:#ffffff}",
  "@media (prefers-color-scheme:dark){body{color:#ececec;background:#1a1a1a}a{color:#8ab4f8}",
  ".footer{color:#a8a8a8!important}}",
].join("");
const FOOTER_STYLE = "margin-top:32px;font-size:13px;color:#5c5c5c";

/** Returns an HTML page. The elements of the body are HTML, the title is text. */
export function htmlPage(title: string, body: string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<style>${COLORS}</style>`,
    `<title>${escapeHtml(title)}</title></head><body style="${BODY_STYLE}">`,
    ...body,
    "</body></html>",
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return text.replace(/^/gm, "> ");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Characters that change the direction of the following text and so disguise it. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns the text as one line of bounded length. */
function line(text: string): string {
  const clean = text.toWellFormed().replace(DIRECTION_MARKS, "");
  return cut(clean.replace(/[\s\p{Cc}]+/gu, " ").trim(), MAX_LINE_LENGTH);
}

/** Returns the text with its line breaks, of bounded length. */
function paragraph(text: string, maxLength: number): string {
  const clean = text.toWellFormed().replace(DIRECTION_MARKS, "").replace(/\r\n?/g, "\n");
  return cut(clean.replace(/(?!\n)\p{Cc}/gu, " ").trim(), maxLength);
}

/** Cuts a text to a length in UTF-16 units without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
