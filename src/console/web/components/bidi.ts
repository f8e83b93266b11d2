/** Invisible characters that change the direction of the text after them, even beyond the string that contains them. */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Replaces bidirectional control characters by visible text such as `[U+202E]`. */
export function revealBidiControls(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, (control) => `[U+${hexCode(control).toUpperCase()}]`);
}

/** Escapes bidirectional control characters in JSON, which keeps its meaning. */
export function escapeBidiControls(json: string): string {
  return json.replaceAll(BIDI_CONTROLS, (control) => `\\u${hexCode(control)}`);
}

function hexCode(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
