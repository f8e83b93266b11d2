const ENTRY = /^- \*\*([^*]+)\*\*: .*\S$/;

/** Returns one line for each entry that is malformed, repeated or out of alphabetical order. */
export function findGlossaryErrors(markdown: string): string[] {
  const lines = markdown.split("\n");
  const errors: string[] = [];
  let previous: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith("- ")) continue;
    const term = ENTRY.exec(line)?.[1];
    if (term === undefined) errors.push(`${line} is not of the form - **term**: Definition.`);
    else if (/^\s+\S/.test(lines[index + 1] ?? "")) errors.push(`${term} must be defined on one line`);
    else errors.push(...findOrderErrors(previous, term));
    previous = term ?? previous;
  }
  return errors.map((error) => `docs/glossary.md: ${error}`);
}

/** Compares without regard to case. */
function findOrderErrors(previous: string | undefined, term: string): string[] {
  if (previous === undefined) return [];
  const order = previous.localeCompare(term, "en", { sensitivity: "base" });
  if (order === 0) return [`${term} is defined twice`];
  return order < 0 ? [] : [`${term} must come before ${previous}`];
}
