/** Counts what callers have open. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();

  /** Counts one more. Returns the function that ends it, or undefined if `max` are open. */
  enter(name: string, max: number): (() => void) | undefined {
    const count = this.#counts.get(name) ?? 0;
    if (count >= max) return undefined;
    this.#counts.set(name, count + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    };
  }
}
