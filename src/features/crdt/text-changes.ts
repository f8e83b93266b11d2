import type * as Y from "yjs";
import { type DiffBudget, runsOf } from "./sequence-changes.ts";

interface Edit {
  index: number;
  remove: number;
  insert: string;
}

interface Level {
  token: RegExp;
  maxEdits: number;
}

/**
 * First lines, then words: a change of two words leaves what stands between them to those who are editing it. A text
 * that has little in common with the one before is replaced in one piece, not patched together from its words.
 */
const LEVELS: Level[] = [
  { token: /[^\n]*\n|[^\n]+/g, maxEdits: 300 },
  { token: /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu, maxEdits: 40 },
];

/** UTF-16 units on both sides together. The tokens of 10 MiB of short lines were measured to need more than 1 GB. */
const MAX_COMPARED = 2 * 1024 * 1024;

/**
 * Makes the shared text read `to` with the fewest edits that can be found in bounded time. What is new goes in front of
 * what it replaces, so that it stays in front of what others append to that.
 */
export function changeText(shared: Y.Text, from: string, to: string, budget: DiffBudget): void {
  if (from === to) return;
  const whole = { index: 0, remove: from.length, insert: to };
  const edits = budget.mayCut() ? editsOf(from, to, 0, LEVELS, budget) : [whole];
  budget.cut(edits.length);
  for (const { index, remove, insert } of edits.reverse()) {
    shared.insert(index, insert);
    shared.delete(index + insert.length, remove);
  }
}

/** In the order of their places; none reaches into a surrogate pair, which Yjs would destroy. */
function editsOf(from: string, to: string, index: number, levels: Level[], budget: DiffBudget): Edit[] {
  const start = commonStart(from, to);
  const end = commonEnd(from, to, start);
  const [removed, insert] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const [level, ...finer] = levels;
  if (removed === "" || insert === "" || !level || removed.length + insert.length > MAX_COMPARED) {
    return [{ index: index + start, remove: removed.length, insert }];
  }
  const [before, after] = [removed.match(level.token) ?? [], insert.match(level.token) ?? []];
  const edits: Edit[] = [];
  let place = index + start;
  for (const run of runsOf(before, after, level.maxEdits, budget)) {
    const text = before.slice(run.from, run.fromEnd).join("");
    if (!run.isKept) edits.push(...editsOf(text, after.slice(run.to, run.toEnd).join(""), place, finer, budget));
    place += text.length;
  }
  return edits;
}

function commonStart(from: string, to: string): number {
  const limit = Math.min(from.length, to.length);
  let count = 0;
  while (count < limit && from.charCodeAt(count) === to.charCodeAt(count)) count++;
  return count > 0 && isWithin(from.charCodeAt(count - 1), 0xd800, 0xdbff) ? count - 1 : count;
}

function commonEnd(from: string, to: string, start: number): number {
  const limit = Math.min(from.length, to.length) - start;
  let count = 0;
  while (count < limit && from.charCodeAt(from.length - 1 - count) === to.charCodeAt(to.length - 1 - count)) count++;
  return count > 0 && isWithin(from.charCodeAt(from.length - count), 0xdc00, 0xdfff) ? count - 1 : count;
}

function isWithin(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}
