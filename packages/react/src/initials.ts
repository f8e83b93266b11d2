/** Returns the first letters of the first and the last name. An emoji may consist of several code points. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const segmenter = new Intl.Segmenter();
  const initials = [words[0], ...words.slice(1).slice(-1)].map((word = "") => {
    const [first] = segmenter.segment(word);
    return first?.segment ?? "";
  });
  return initials.join("").toUpperCase();
}
