/** Invisible characters that turn the direction of what follows them, also beyond the text that they stand in. */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A text of somebody's with its direction marks to be seen, such as `[U+202E]`. */
export function revealBidiControls(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, (mark) => `[U+${codeOf(mark).toUpperCase()}]`);
}

/** JSON that means the same and hides nothing. */
export function escapeBidiControls(json: string): string {
  return json.replaceAll(BIDI_CONTROLS, (mark) => `\\u${codeOf(mark)}`);
}

function codeOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).padStart(4, "0");
}
