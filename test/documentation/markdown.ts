/** A fenced code block, possibly indented in a list. An unclosed block extends to the end of the text. */
const BLOCK = /^[ \t]*(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))/gm;
const SPAN = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;
const LINK = /\]\(\s*<?([^)\s>]+)[^)]*\)|^[ \t]*\[[^\]]+\]:\s+(\S+)/gm;
const HEADING = /^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm;

/** Returns the code blocks, followed by the code spans. */
export function getCode(markdown: string): string[] {
  const blocks = getBlocks(markdown).map(({ code }) => code);
  const spans = [...withoutBlocks(markdown).matchAll(SPAN)].map(([, , code = ""]) => code);
  return [...blocks, ...spans];
}

interface CodeBlock {
  /** The text after the opening fence, such as `json`. */
  info: string;
  code: string;
}

/** Returns the code blocks with their languages. */
export function getBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(BLOCK)].map(([, , info = "", code = ""]) => ({ info: info.trim(), code: code.trim() }));
}

/** Returns the targets of the links and images. */
export function getLinks(markdown: string): string[] {
  const links = withoutBlocks(markdown).replace(SPAN, "code").matchAll(LINK);
  return [...links].map(([, inline, reference]) => inline ?? reference ?? "");
}

/** Removes the targets of the links. */
export function withoutLinks(markdown: string): string {
  return markdown.replace(LINK, "](…)");
}

/** Returns the anchors that GitHub generates from the headings. */
export function getAnchors(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(HEADING)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

function withoutBlocks(markdown: string): string {
  return markdown.replace(BLOCK, "");
}
