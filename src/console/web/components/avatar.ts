/** Backgrounds with a contrast of at least 4.5 to white text. */
export const AVATAR_COLORS = [
  "#1864ab",
  "#0b7285",
  "#237a35",
  "#5f3dc4",
  "#862e9c",
  "#a61e4d",
  "#a5300f",
  "#495057",
] as const;

/** Returns the color of a user or organization, which stays the same for the same ID. */
export function avatarColor(id: string): string {
  let hash = 0;
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return AVATAR_COLORS[hash % AVATAR_COLORS.length] ?? AVATAR_COLORS[0];
}

/** A word, which begins with a letter or digit. Combining marks belong to the letter before them. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const VISIBLE = /^[\p{P}\p{S}]/u;

/**
 * Returns at most two initials of a name, email address or ID: of its first and its last word. Returns the first
 * punctuation mark or symbol, such as an emoji, if there is no word, and "" if there is nothing to see.
 */
export function initials(name: string): string {
  const [local = ""] = name.split("@", 1);
  // The composed form of a letter with a mark is one code point.
  const text = (local || name).normalize("NFC");
  const words = text.match(WORD) ?? [];
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || firstSymbol(text);
}

function firstSymbol(text: string): string {
  for (const { segment } of new Intl.Segmenter().segment(text)) if (VISIBLE.test(segment)) return segment;
  return "";
}
