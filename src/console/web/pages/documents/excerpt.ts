const MAX_LENGTH = 200;

/** Returns the beginning of a collaborative document's content on one line, or "(empty)". */
export function getExcerpt(data: unknown): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  // Content may be megabytes, so this cuts it before replacing white space.
  const line = text
    .slice(0, MAX_LENGTH * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line === "") return "(empty)";
  return line.length > MAX_LENGTH || text.length > MAX_LENGTH * 2 ? `${line.slice(0, MAX_LENGTH).trimEnd()}…` : line;
}
