const LETTER = /[\p{L}\p{N}]/u;

/**
 * Returns the first letters or digits of the first and the last name, without quotation marks and emojis before them.
 * A name without any has its first character, which may consist of several code points, as an emoji does.
 */
export function getInitials(name: string): string {
  const segmenter = new Intl.Segmenter();
  const segments = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const words = name.split(/\s+/).filter((word) => LETTER.test(word));
  const [first = segments(name.trim())[0] ?? "", ...others] = words.map(
    (word) => segments(word).find((segment) => LETTER.test(segment)) ?? "",
  );
  return [first, ...others.slice(-1)].join("").toUpperCase();
}
