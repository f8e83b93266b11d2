import type { Comment } from "@colloquy/client";
import { createElement, type ReactElement, type ReactNode, useMemo } from "react";
import { getSafeHref, parseRichText, type RichNode } from "./rich-text.ts";
import { useIsHydrated } from "./use-is-hydrated.ts";

/** Props of `CommentText`. */
export interface CommentTextProps {
  comment: Pick<Comment, "commentText" | "commentHtml" | "taggedUserContacts" | "taggedUserGroups">;
}

/** Shows the text of a comment: its HTML with the permitted tags, or its plain text. */
export function CommentText({ comment }: CommentTextProps): ReactElement {
  const { commentText = "", commentHtml, taggedUserContacts, taggedUserGroups } = comment;
  // The server has no parser of HTML.
  const isHydrated = useIsHydrated();
  const content = useMemo(() => {
    const decorate = createDecorator([...taggedUserContacts, ...(taggedUserGroups ?? [])]);
    const nodes = isHydrated && commentHtml ? parseRichText(commentHtml) : undefined;
    return nodes && nodes.length > 0 ? toElements(nodes, decorate) : <p>{decorate(commentText)}</p>;
  }, [commentText, commentHtml, taggedUserContacts, taggedUserGroups, isHydrated]);
  return (
    <div className="colloquy-text" dir="auto">
      {content}
    </div>
  );
}

type Decorate = (text: string) => ReactNode;

function toElements(nodes: RichNode[], decorate: Decorate): ReactNode[] {
  return nodes.map((node, key) => {
    if (typeof node === "string") return decorate(node);
    const { tag, href, children } = node;
    if (tag === "br") return createElement("br", { key });
    if (tag === "p" && children.length === 0) return createElement("p", { key }, createElement("br"));
    const isLiteral = tag === "a" || tag === "code" || tag === "pre";
    const link = tag === "a" ? { href, ...LINK } : {};
    return createElement(tag, { key, ...link }, ...toElements(children, isLiteral ? (text) => text : decorate));
  });
}

const LINK = { target: "_blank", rel: "noopener noreferrer nofollow ugc" };
const PUNCTUATION = ".,;:!?'”’»…";
/** Maximum number of links and mentions in a text. A hostile one would have so many that the page hangs. */
const MAX_DECORATED = 1_000;
/** Number and length of the tags that are looked for. Browsers reject or slow down at patterns of longer ones. */
const [MAX_TAGS, MAX_TAG_LENGTH] = [100, 300];
const URLS = /\bhttps?:\/\/[^\s<>"]+/gi;

/** Returns a function that shows addresses in a text as links, and marks the tags of users and groups. */
function createDecorator(tagged: readonly { text?: string }[]): Decorate {
  const texts = tagged.map(({ text = "" }) => text).filter((text) => text.length <= MAX_TAG_LENGTH);
  const tags = [...new Set(texts.filter((text) => text.trim() !== ""))].slice(0, MAX_TAGS);
  const longestFirst = tags.sort((one, other) => other.length - one.length);
  const pattern = new RegExp([URLS.source, ...longestFirst.map(escapePattern)].join("|"), "gi");
  return (text) => {
    const parts: ReactNode[] = [];
    let end = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (parts.length >= 2 * MAX_DECORATED) break;
      const match = tags.includes(found) ? found : trimAddress(found);
      parts.push(text.slice(end, index), tags.includes(match) ? toMention(match, index) : toLink(match, index));
      end = index + match.length;
    }
    return end === 0 ? text : [...parts, text.slice(end)];
  };
}

function toMention(text: string, key: number): ReactElement {
  return (
    <span key={key} className="colloquy-mention">
      {text}
    </span>
  );
}

function toLink(text: string, key: number): ReactNode {
  const href = getSafeHref(text);
  return href === undefined ? (
    text
  ) : (
    <a key={key} href={href} {...LINK}>
      {text}
    </a>
  );
}

/** Returns an address without the punctuation of the sentence around it. */
function trimAddress(address: string): string {
  let end = address.length;
  while (PUNCTUATION.includes(address[end - 1] ?? " ")) end -= 1;
  if (address[end - 1] === ")" && !address.includes("(")) end -= 1;
  return address.slice(0, end);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
