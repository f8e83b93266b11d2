/** Prints a result to stdout, which scripts read. Everything else goes to stderr. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Prints aligned columns under headings in capitals. */
export function printTable(headings: string[], rows: string[][]): void {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** Returns the time as ISO 8601 in UTC, or `absent` if there is none. */
export function formatTime(time: number | null, absent: string): string {
  return time === null ? absent : new Date(time).toISOString();
}
