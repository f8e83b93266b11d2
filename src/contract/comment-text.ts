interface Written {
  commentText?: string | undefined;
  commentHtml?: string | undefined;
}

/** Returns the text of a comment for notifications and mails: that of its HTML if it has no other. */
export function getCommentText({ commentText, commentHtml }: Written): string | undefined {
  if (commentText?.trim() || commentHtml === undefined) return commentText;
  return toPlainText(commentHtml);
}

/** Number of characters of HTML that are read, which takes some milliseconds. */
const MAX_HTML_LENGTH = 100_000;
/** Elements whose content is not shown. */
const HIDDEN = new Set(["script", "style", "title", "template"]);
/** Elements that begin and end a line. */
const BLOCKS = new Set([
  ...["address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "form", "h1", "h2", "h3"],
  ...["h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"],
]);

/**
 * Returns the text of HTML in lines, without tags, up to a length. The result is plain text, not HTML that is safe to
 * show. Takes time in proportion to the length, whatever the HTML.
 */
export function toPlainText(given: string): string {
  const html = given.slice(0, MAX_HTML_LENGTH);
  let text = "";
  let position = 0;
  const tag = /<(?:(\/?)([a-z][a-z\d]*)|[!?])/gi;
  for (let found = tag.exec(html); found; found = tag.exec(html)) {
    const { index: start } = found;
    const name = found[2]?.toLowerCase() ?? "";
    text += html.slice(position, start).replace(/\s+/g, " ");
    if (BLOCKS.has(name)) text += "\n";
    position = html.startsWith("<!--", start) ? findEnd(html, "-->", start + 4) : findTagEnd(html, start + 1);
    if (HIDDEN.has(name) && found[1] === "") position = findHiddenEnd(html, name, position);
    tag.lastIndex = position;
  }
  const lines = decodeEntities(text + html.slice(position).replace(/\s+/g, " ")).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Returns the position after the next `end`, or that of the end of the HTML. */
function findEnd(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found < 0 ? html.length : found + end.length;
}

/** Returns the position after a tag. Values in quotes may contain `>`. */
function findTagEnd(html: string, from: number): number {
  const mark = /[>"']/g;
  mark.lastIndex = from;
  for (let found = mark.exec(html); found; found = mark.exec(html)) {
    if (found[0] === ">") return mark.lastIndex;
    mark.lastIndex = findEnd(html, found[0], mark.lastIndex);
  }
  return html.length;
}

/** Returns the position of the end tag of an element whose content is not shown. */
function findHiddenEnd(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const LAST_CODE_POINT = 0x10ffff;

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (entity, decimal, hex, name) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? entity;
      const codePoint = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : entity;
    },
  );
}
