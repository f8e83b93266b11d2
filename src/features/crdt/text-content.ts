import * as Y from "yjs";

/** Stands for what a text embeds, such as an image, so that positions in the string are positions in the text. */
const OBJECT_REPLACEMENT = "\ufffc";

/** Returns the text without its formatting. Unlike toString(), it has a character for each embedded object. */
export function getText(shared: Y.Text): string {
  // XmlText would write its formatting as tags.
  const text = Y.Text.prototype.toString.call(shared);
  if (text.length === shared.length) return text;
  const pieces: { insert: unknown }[] = shared.toDelta();
  return pieces.map(({ insert }) => (typeof insert === "string" ? insert : OBJECT_REPLACEMENT)).join("");
}
