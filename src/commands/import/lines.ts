import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Maximum size of a line. A page of records has about 8 MiB. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const EXTENSION = /\.(ndjson|jsonl|json)$/;
const LINE_FEED = 0x0a;
const CHUNK_BYTES = 64 * 1024;

export interface ExportFile {
  path: string;
  bytes: number;
}

/** Returns the file, or the files of the folder, those of its folders included, by name. Throws if there is none. */
export async function exportFiles(path: string): Promise<ExportFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`There is no file or folder ${path}. Name an export.`);
  if (!found.isDirectory()) return [{ path, bytes: found.size }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && EXTENSION.test(entry.name));
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  if (paths.length === 0) throw new Error(`${path} has no files that end in .ndjson, .jsonl or .json.`);
  return Promise.all(paths.map(async (each) => ({ path: each, bytes: (await stat(each)).size })));
}

export interface ExportLine {
  /** Counts from 1. */
  number: number;
  /** Undefined if the line is not UTF-8, or is too long to be read. */
  text: string | undefined;
  /** Why there is no text. */
  error?: string;
  /** Number of bytes of the file that have been read. */
  readBytes: number;
}

/** Yields the lines of a file that are not blank. Holds one line at a time, in the same memory. */
export async function* getLines(path: string): AsyncGenerator<ExportLine> {
  await using file = await open(path);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const line = new LineBuffer();
  let number = 0;
  let readBytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
    const read = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = read.indexOf(LINE_FEED); end >= 0; end = read.indexOf(LINE_FEED, start)) {
      line.add(read.subarray(start, end));
      start = end + 1;
      const taken = line.take();
      number++;
      if (taken.text !== "") yield { ...taken, number, readBytes: readBytes + start };
    }
    line.add(read.subarray(start));
    readBytes += bytesRead;
    if (bytesRead === 0) break;
  }
  const last = line.take();
  if (last.text !== "") yield { ...last, number: number + 1, readBytes };
}

/** Collects the bytes of a line. Buffers of each line's own would be collected as garbage too late. */
class LineBuffer {
  #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #size = 0;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });

  add(part: Buffer): void {
    const size = this.#size + part.length;
    if (size <= MAX_LINE_BYTES) {
      if (size > this.#buffer.length) this.#grow(size);
      part.copy(this.#buffer, this.#size);
    }
    this.#size = size;
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * this.#buffer.length), MAX_LINE_BYTES));
    this.#buffer.copy(larger, 0, 0, this.#size);
    this.#buffer = larger;
  }

  /** Returns the text of the line, or why it has none, and starts the next line. */
  take(): Pick<ExportLine, "text" | "error"> {
    const size = this.#size;
    this.#size = 0;
    if (size > MAX_LINE_BYTES) {
      const error = `is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB. Write fewer records to a line.`;
      return { text: undefined, error };
    }
    try {
      return { text: this.#decoder.decode(this.#buffer.subarray(0, size)).trim() };
    } catch {
      return { text: undefined, error: "is not UTF-8." };
    }
  }
}
