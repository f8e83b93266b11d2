const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** Interval of the lines where no terminal can redraw one. */
const LINE_MS = 10_000;

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows on stderr how far a long work has got: a bar on a terminal, otherwise a line every 10 seconds. */
export class Progress {
  readonly #title: string;
  readonly #output: Output;
  readonly #now: () => number;
  #shownAt: number;

  constructor(title: string, output: Output = process.stderr, now: () => number = () => performance.now()) {
    this.#title = title;
    this.#output = output;
    this.#now = now;
    this.#shownAt = output.isTTY ? Number.NEGATIVE_INFINITY : now();
  }

  /** Shows the share that is done, from 0 to 1, unless it was shown a moment ago. */
  update(share: number, name = ""): void {
    if (this.#now() - this.#shownAt < (this.#output.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.#shownAt = this.#now();
    const percent = `${Math.floor(share * 100)} %`;
    if (!this.#output.isTTY) {
      this.#output.write(`${this.#title}: ${percent}\n`);
      return;
    }
    const filled = Math.round(share * BAR_WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    this.#output.write(`\r\x1b[K${this.#title} ${bar} ${percent.padStart(5)} ${name}`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#output.isTTY) this.#output.write("\r\x1b[K");
  }
}
