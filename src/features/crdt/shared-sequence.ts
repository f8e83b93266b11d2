import { type DiffBudget, getRuns, type Run } from "./sequence-changes.ts";

/** A Y.Array, or the children of a Y.XmlFragment. */
interface SharedSequence<Item, Value> {
  /** Items before the change. */
  items: Item[];
  getToken(item: Item): string;
  /** Inserts values before items that it deletes. Is called from the end, so that earlier indexes stay valid. */
  replace(index: number, removed: number, values: Value[]): void;
}

interface Target<Item, Value> {
  values: Value[];
  /** Returns the token of a value; an item with the same token stays. */
  getToken(value: Value): string;
  /** Changes the content of the item. Returns false if it has to be replaced. `areEqual` says that the tokens match. */
  becomes(item: Item, value: Value, areEqual: boolean): boolean;
}

/** Maximum number of edits. The work grows with its square: measured at 10 ms. */
const MAX_EDITS = 300;

/**
 * Replaces, inserts and deletes only where the sequences differ, from the end, so that earlier indexes stay valid. New
 * items go before what they replace, so that they stay before whatever others append to it.
 */
export function changeSequence<Item, Value>(
  shared: SharedSequence<Item, Value>,
  target: Target<Item, Value>,
  budget: DiffBudget,
): void {
  const { items } = shared;
  const { values } = target;
  if (items.length === 0) {
    if (values.length > 0) shared.replace(0, 0, values);
    return;
  }
  const before = budget.getTokens(items, shared.getToken);
  const after = budget.getTokens(values, target.getToken);
  const runs = before && after ? getRuns(before, after, MAX_EDITS, budget) : wholeRun(items, values);
  for (const run of runs.reverse()) changeRun(shared, target, run);
}

function wholeRun(from: unknown[], to: unknown[]): Run[] {
  return [{ isKept: false, from: 0, fromEnd: from.length, to: 0, toEnd: to.length }];
}

function changeRun<Item, Value>(
  shared: SharedSequence<Item, Value>,
  { values, becomes }: Target<Item, Value>,
  run: Run,
): void {
  const items = shared.items.slice(run.from, run.fromEnd);
  const targets = values.slice(run.to, run.toEnd);
  const pairs = Math.min(items.length, targets.length);
  const staying = targets.slice(0, pairs).map((value, index) => becomes(itemAt(items, index), value, run.isKept));
  const replace = (from: number, removed: number, inserted: Value[]) => {
    if (inserted.length > 0 || removed > 0) shared.replace(run.from + from, removed, inserted);
  };
  let start = staying.lastIndexOf(true) + 1;
  replace(start, items.length - start, targets.slice(start));
  while (start > 0) {
    const end = staying.lastIndexOf(false, start - 1) + 1;
    start = end > 0 ? staying.lastIndexOf(true, end - 1) + 1 : 0;
    replace(start, end - start, targets.slice(start, end));
  }
}

/** Returns an item; the cast holds because there are at least as many items as pairs. */
function itemAt<Item>(items: Item[], index: number): Item {
  return items[index] as Item;
}
