/** Draws that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0 inclusive to 1 exclusive, by the algorithm mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const first = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    const second = (first + Math.imul(first ^ (first >>> 7), 61 | first)) ^ first;
    return ((second ^ (second >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `least` to `most`. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
