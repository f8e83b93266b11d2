import { setImmediate } from "node:timers/promises";

/** The first error of stdout other than a closed pipe. */
let outputError: Error | undefined;

/**
 * Handles errors of stdout and stderr, each of which would otherwise end the process with a stack trace. A closed pipe
 * is not an error: its reader, such as `head`, has read enough.
 */
export function handleOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) {
    if (!output.listeners("error").includes(keepOutputError)) output.on("error", keepOutputError);
  }
}

function keepOutputError(this: unknown, error: NodeJS.ErrnoException): void {
  if (this === process.stdout && error.code !== "EPIPE") outputError ??= error;
}

/**
 * Waits until the reader of stdout has taken everything, however long that takes, or has closed the pipe. Throws an
 * error if stdout could not be written, such as to a full disk.
 */
export async function assertOutputWritten(): Promise<void> {
  if (process.stdout.writableLength > 0) {
    await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  }
  // A failed write is reported in a later turn.
  await setImmediate();
  if (outputError) throw new Error(`Standard output cannot be written: ${outputError.message}.`);
}

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
