import { IMPORT_KINDS } from "../../features/imports/kinds.ts";
import { print, printJson, printTable } from "../output.ts";
import { Progress } from "../progress.ts";
import type { ExportFile } from "./lines.ts";

/** Maximum number of rejections that are printed. */
const MAX_PRINTED = 100;

const OUTCOMES = { import: ["added", "existed", "rejected"], check: ["valid", "rejected"] } as const;
type Counted = (typeof OUTCOMES)["import" | "check"][number];

/** Shows the progress of an import on stderr, with the first rejections, and its summary on stdout. */
export class ImportReport {
  readonly #progress: Progress;
  readonly #outcomes: readonly Counted[];
  readonly #totalBytes: number;
  /** Number of bytes before each file. */
  readonly #bytesBefore = new Map<string, number>();
  readonly #counts = new Map<string, Partial<Record<Counted, number>>>();
  #rejected = 0;
  #rejectedLines = 0;
  #records = 0;

  constructor(files: ExportFile[], isCheck: boolean) {
    this.#progress = new Progress(isCheck ? "Checking" : "Importing");
    this.#outcomes = OUTCOMES[isCheck ? "check" : "import"];
    let bytes = 0;
    for (const file of files) {
      this.#bytesBefore.set(file.path, bytes);
      bytes += file.bytes;
    }
    this.#totalBytes = bytes;
  }

  /** Whether a record or a line was rejected. */
  get hasErrors(): boolean {
    return this.#rejected > 0;
  }

  /** Shows that a file was read up to a number of bytes. */
  readTo(path: string, bytes: number): void {
    const read = (this.#bytesBefore.get(path) ?? 0) + bytes;
    this.#progress.update(read / Math.max(this.#totalBytes, 1), `${this.#records.toLocaleString("en")} records`);
  }

  count(kind: string, outcome: Counted, number = 1): void {
    const counts = this.#counts.get(kind) ?? {};
    counts[outcome] = (counts[outcome] ?? 0) + number;
    this.#counts.set(kind, counts);
    this.#records += number;
  }

  /** Counts a rejected record and prints the reason. */
  reject(kind: string, reason: string): void {
    this.count(kind, "rejected");
    this.#explain(reason);
  }

  /** Counts a line whose records cannot be read, and says why. */
  rejectLine(lineRef: string, reason: string): void {
    this.#rejectedLines++;
    this.#explain(`${lineRef}: The line ${reason}`);
  }

  #explain(reason: string): void {
    this.#rejected++;
    if (this.#rejected > MAX_PRINTED) return;
    this.#progress.end();
    process.stderr.write(`${reason}\n`);
    if (this.#rejected === MAX_PRINTED) process.stderr.write("Further rejections are only counted.\n");
  }

  /** Removes the progress bar. */
  end(): void {
    this.#progress.end();
  }

  /** Prints the summary. Throws if anything was rejected. */
  print(isJson: boolean): void {
    const kinds = [...IMPORT_KINDS.keys()].flatMap((name) => {
      const counts = this.#counts.get(name);
      return counts ? [{ name, numbers: this.#outcomes.map((outcome) => counts[outcome] ?? 0) }] : [];
    });
    if (isJson) {
      const entries = kinds.map(({ name, numbers }) => [
        name,
        Object.fromEntries(this.#outcomes.map((outcome, index) => [outcome, numbers[index]])),
      ]);
      printJson({ ...Object.fromEntries(entries), rejectedLines: this.#rejectedLines });
    } else {
      const rows = kinds.map(({ name, numbers }) => [name, ...numbers.map((number) => number.toLocaleString("en"))]);
      printTable(["kind", ...this.#outcomes], rows);
      const isAnyAdded = [...this.#counts.values()].some(({ added = 0 }) => added > 0);
      if (this.#rejected === 0 && this.#records === 0) print("The export has no records.");
      else if (this.#rejected === 0 && this.#outcomes === OUTCOMES.import && !isAnyAdded)
        print("Everything existed already. Nothing was changed.");
    }
    if (this.#rejected > 0) throw new Error(this.#errors());
  }

  #errors(): string {
    const records = this.#rejected - this.#rejectedLines;
    const parts = [
      ...(records > 0 ? [`${records.toLocaleString("en")} records`] : []),
      ...(this.#rejectedLines > 0 ? [`${this.#rejectedLines.toLocaleString("en")} lines`] : []),
    ];
    return `Rejected ${parts.join(" and ")}. Correct them and run the command again; what exists is not added twice.`;
  }
}
