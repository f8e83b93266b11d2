/** Maximum length of IDs and searches, in UTF-16 units. */
const MAX_LENGTH = 256;

/** Issue of a text that has a character which the API rejects. */
export const CONTROL_CHARACTERS = "Must not contain control characters, such as tabs.";

/** Returns why the API rejects a text as an ID or a search, as a sentence; undefined if it does not. */
export function textIssue(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `Must have at most ${MAX_LENGTH} characters.`;
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return CONTROL_CHARACTERS;
  return undefined;
}
