const BEGINNING = 200;

/** How the content of an editor begins, on one line; empty content is called so. */
export function excerptOf(data: unknown): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  // Cut before it is worked on: it may be megabytes.
  const line = text
    .slice(0, BEGINNING * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line === "") return "(empty)";
  return line.length > BEGINNING || text.length > BEGINNING * 2 ? `${line.slice(0, BEGINNING).trimEnd()}…` : line;
}
