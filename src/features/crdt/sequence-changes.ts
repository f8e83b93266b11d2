import { diffArrays } from "diff";

/** A part of two sequences, ends exclusive. If `isKept`, both have the same tokens in it. */
export interface Run {
  isKept: boolean;
  from: number;
  fromEnd: number;
  to: number;
  toEnd: number;
}

/** Remaining work that a change may spend on keeping existing content. Measured: 3 s at most. */
export class DiffBudget {
  /** Remaining steps, in squares of edits: the work of a comparison grows with the square. */
  #steps = 5_000_000;
  /** Remaining UTF-16 units of tokens. Each level of nesting makes tokens of everything below it. */
  #units = 32 * 1024 * 1024;

  /** Remaining edits of texts. Each splits a piece in two, which takes Yjs longer the more pieces there are. */
  #cuts = 2_000;

  /** Spends one edit of a text. Returns false if texts can only be replaced as a whole. */
  mayCut(): boolean {
    return this.#cuts > 0;
  }

  cut(edits: number): void {
    this.#cuts -= edits;
  }

  /** Returns how many edits a comparison may search for. */
  allow(edits: number): number {
    return Math.min(edits, Math.floor(Math.sqrt(this.#steps)));
  }

  spend(edits: number): void {
    this.#steps = Math.max(0, this.#steps - edits * edits);
  }

  /** Returns the tokens of the items, or undefined if the budget does not suffice. */
  getTokens<Item>(items: Item[], getToken: (item: Item) => string): string[] | undefined {
    const tokens: string[] = [];
    for (const item of items) {
      if (this.#units < 0) return undefined;
      const token = getToken(item);
      tokens.push(token);
      this.#units -= token.length;
    }
    return tokens;
  }
}

/**
 * Splits two sequences into alternating runs that are kept and that change. Past `maxEdits` insertions and deletions
 * between the common ends, everything between is one change, which bounds the work.
 */
export function getRuns(from: string[], to: string[], maxEdits: number, budget: DiffBudget): Run[] {
  const start = commonStart(from, to);
  const end = commonEnd(from, to, start);
  const [before, after] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const maxEditLength = before.length > 0 && after.length > 0 ? budget.allow(maxEdits) : 0;
  const middle = maxEditLength > 0 ? diffArrays(before, after, { maxEditLength }) : undefined;
  budget.spend(middle ? countEdits(middle) : maxEditLength);
  const runs = new Runs();
  runs.keep(start);
  if (middle) for (const { added, removed, count } of middle) runs.add({ added, removed, count });
  else runs.change(before.length, after.length);
  runs.keep(end);
  return runs.all;
}

function countEdits(changes: { added: boolean; removed: boolean; count: number }[]): number {
  return changes.reduce((edits, { added, removed, count }) => edits + (added || removed ? count : 0), 0);
}

class Runs {
  readonly all: Run[] = [];
  #from = 0;
  #to = 0;

  add({ added, removed, count }: { added: boolean; removed: boolean; count: number }): void {
    if (added || removed) this.change(removed ? count : 0, added ? count : 0);
    else this.keep(count);
  }

  keep(count: number): void {
    this.#grow(true, count, count);
  }

  change(removed: number, added: number): void {
    this.#grow(false, removed, added);
  }

  #grow(isKept: boolean, from: number, to: number): void {
    if (from === 0 && to === 0) return;
    let run = this.all.at(-1);
    if (run?.isKept !== isKept) {
      run = { isKept, from: this.#from, fromEnd: this.#from, to: this.#to, toEnd: this.#to };
      this.all.push(run);
    }
    this.#from = run.fromEnd += from;
    this.#to = run.toEnd += to;
  }
}

function commonStart(from: string[], to: string[]): number {
  const limit = Math.min(from.length, to.length);
  let count = 0;
  while (count < limit && from[count] === to[count]) count++;
  return count;
}

function commonEnd(from: string[], to: string[], start: number): number {
  const limit = Math.min(from.length, to.length) - start;
  let count = 0;
  while (count < limit && from[from.length - 1 - count] === to[to.length - 1 - count]) count++;
  return count;
}
