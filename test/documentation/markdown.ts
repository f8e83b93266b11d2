/** Text that may stand in lists; one that is not closed goes on to the end. */
const BLOCK = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))/gm;
const SPAN = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;
const LINK = /\]\(\s*<?([^)\s>]+)[^)]*\)|^[ \t]*\[[^\]]+\]:\s+(\S+)/gm;
const HEADING = /^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm;

/** The code blocks and then the code spans. */
export function codeOf(markdown: string): string[] {
  const spans = [...withoutBlocks(markdown).matchAll(SPAN)];
  return [...markdown.matchAll(BLOCK), ...spans].map(([, , code = ""]) => code);
}

/** Where the links and images lead. */
export function linksOf(markdown: string): string[] {
  const links = withoutBlocks(markdown).replace(SPAN, "code").matchAll(LINK);
  return [...links].map(([, inline, reference]) => inline ?? reference ?? "");
}

/** Without where the links lead. */
export function withoutLinks(markdown: string): string {
  return markdown.replace(LINK, "](…)");
}

/** What may follow the `#` of a link, as GitHub makes it of the headings. */
export function anchorsOf(markdown: string): string[] {
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
