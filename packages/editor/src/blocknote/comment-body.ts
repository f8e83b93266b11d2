import type { Comment } from "@colloquy/client";
import type { CommentOptions } from "@colloquy/client/stores";
import { type BodySchema, isBody } from "./body-schema.ts";

/** Inline content of BlockNote, as far as comments have it. */
interface Inline {
  type: string;
  text?: string;
  href?: string;
  styles?: Record<string, unknown>;
  content?: Inline[];
  props?: Record<string, unknown>;
}

interface Block {
  content?: string | Inline[];
  children?: Block[];
}

type Mention = { userId: string; text: string };

/** Tags of the styles that all components of comments show. */
const TAGS = Object.entries({ bold: "strong", italic: "em", code: "code" });

/** What `context` of a comment has of its body. `text` is the text of the body, which others may have changed since. */
interface StoredBody {
  text: string;
  body: unknown;
  metadata?: unknown;
  isDeleted?: true;
}

/** The options of a comment that is deleted but stays in its thread, with an empty text. */
export const DELETED: CommentOptions = {
  mentions: [],
  attachments: [],
  commentContext: { blockNote: { text: "", body: undefined, isDeleted: true } satisfies StoredBody },
};

/** Returns whether a comment is deleted, and nobody has given it a text since. */
export function isDeleted({ commentText = "", context }: Comment): boolean {
  return commentText === "" && castStored(context?.blockNote)?.isDeleted === true;
}

/** Returns the fields of a comment from a body: its text, HTML and mentions, and the body itself for BlockNote. */
export function fromBody(body: unknown, metadata?: unknown): { text: string; options: CommentOptions } {
  const blocks = castBlocks(body);
  const inlines = blocks.flatMap((block) => (Array.isArray(block.content) ? flatten(block.content) : []));
  const text = typeof body === "string" ? body : blocks.map((block) => toText(block.content)).join("\n");
  const isStyled = inlines.some(({ type, styles = {} }) => type === "link" || TAGS.some(([style]) => styles[style]));
  const stored: StoredBody = { text, body, ...(metadata !== undefined && { metadata }) };
  return {
    text,
    options: {
      mentions: inlines.flatMap(toMention),
      ...(isStyled && { html: blocks.map((block) => `<p>${toHtml(block.content)}</p>`).join("") }),
      commentContext: { blockNote: stored },
    },
  };
}

/** Returns the body of a comment: the one that BlockNote has written, if it can show it, or else one of its text. */
export function toBody(
  { commentText = "", context }: Comment,
  schema: BodySchema | undefined,
): { body: unknown; metadata: unknown } {
  const stored = castStored(context?.blockNote);
  if (stored?.text === commentText && (!schema || isBody(stored.body, schema))) {
    return { body: stored.body, metadata: stored.metadata };
  }
  return { body: commentText.split("\n").map((line) => ({ type: "paragraph", content: line })), metadata: undefined };
}

/** Casts the body of a comment: BlockNote passes its blocks, in which those within others are children. */
function castBlocks(body: unknown): Block[] {
  const blocks = Array.isArray(body) ? (body as Block[]) : [];
  return blocks.flatMap((block) => [block, ...castBlocks(block.children)]);
}

/** Casts the body in a record, as `fromBody` writes it. Other users can store anything. */
function castStored(stored: unknown): StoredBody | undefined {
  return typeof stored === "object" && stored !== null ? (stored as StoredBody) : undefined;
}

function flatten(inlines: Inline[]): Inline[] {
  return inlines.flatMap((inline) => [inline, ...(Array.isArray(inline.content) ? flatten(inline.content) : [])]);
}

/** Returns the user whom inline content of the type `mention` names by `userId` or `id`. */
function toMention({ type, props = {} }: Inline): Mention[] {
  const userId = props.userId ?? props.id;
  return type === "mention" && typeof userId === "string" ? [{ userId, text: getMentionText(props) }] : [];
}

function getMentionText({ name, user, userId, id }: Record<string, unknown>): string {
  return `@${name ?? user ?? userId ?? id}`;
}

function toText(content: Block["content"] = []): string {
  if (typeof content === "string") return content;
  return content
    .map(({ type, text = "", content: inner, props = {} }) => {
      return type === "mention" ? getMentionText(props) : `${text}${toText(inner)}`;
    })
    .join("");
}

function toHtml(content: Block["content"] = []): string {
  if (typeof content === "string") return escapeHtml(content);
  return content
    .map(({ type, text = "", href = "", content: inner, props = {}, styles = {} }) => {
      if (type === "link") return `<a href="${escapeHtml(href)}">${toHtml(inner)}</a>`;
      const escaped = escapeHtml(type === "mention" ? getMentionText(props) : text).replaceAll("\n", "<br>");
      const tags = TAGS.flatMap(([style, tag]) => (styles[style] ? [tag] : []));
      return tags.reduce((html, tag) => `<${tag}>${html}</${tag}>`, escaped);
    })
    .join("");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
