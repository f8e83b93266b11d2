/** Invisible characters that turn the direction of what follows them, also beyond the text that they stand in. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A text of somebody's with its direction marks to be seen, such as `[U+202E]`. */
export function visible(text: string): string {
  return text.replaceAll(DIRECTION_MARKS, (mark) => `[U+${codeOf(mark).toUpperCase()}]`);
}

/** JSON that means the same and hides nothing. */
export function visibleJson(json: string): string {
  return json.replaceAll(DIRECTION_MARKS, (mark) => `\\u${codeOf(mark)}`);
}

function codeOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).padStart(4, "0");
}
