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

/** Returns at most two initials of a name, email address or ID: of its first and its last word. */
export function initials(name: string): string {
  const [local = ""] = name.split("@", 1);
  const words = (local || name).split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
