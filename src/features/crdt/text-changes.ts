import type * as Y from "yjs";
import { type DiffBudget, getRuns } from "./sequence-changes.ts";

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
 * Levels of comparison: first lines, then words, so that a change of two words keeps the text between them. A text that
 * has little in common with the previous one is replaced as a whole.
 */
const LEVELS: Level[] = [
  { token: /[^\n]*\n|[^\n]+/g, maxEdits: 300 },
  { token: /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu, maxEdits: 40 },
];

/** A Y.Text, or what is read like one. */
export type EditableText = Pick<Y.Text, "insert" | "delete">;

/** Maximum UTF-16 units of both texts together. Tokens of 10 MiB of short lines were measured to need over 1 GB. */
const MAX_COMPARED = 2 * 1024 * 1024;

/**
 * Changes the shared text to `to` with the fewest edits that can be found in bounded time. New text goes before what it
 * replaces, so that it stays before whatever others append to it.
 */
export function changeText(shared: EditableText, from: string, to: string, budget: DiffBudget): void {
  if (from === to) return;
  const whole = { index: 0, remove: from.length, insert: to };
  const edits = budget.mayCut() ? getEdits(from, to, 0, LEVELS, budget) : [whole];
  budget.cut(edits.length);
  for (const { index, remove, insert } of edits.reverse()) {
    shared.insert(index, insert);
    shared.delete(index + insert.length, remove);
  }
}

/** Returns the edits by position. None splits a surrogate pair, which Yjs would destroy. */
function getEdits(from: string, to: string, index: number, levels: Level[], budget: DiffBudget): Edit[] {
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
  for (const run of getRuns(before, after, level.maxEdits, budget)) {
    const text = before.slice(run.from, run.fromEnd).join("");
    if (!run.isKept) edits.push(...getEdits(text, after.slice(run.to, run.toEnd).join(""), place, finer, budget));
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
