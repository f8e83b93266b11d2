import {
  type EditorState,
  type Range,
  StateEffect,
  type StateEffectType,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Highlight } from "../model/adapter.ts";

/** A range of the text, in UTF-16 units. */
export interface TextRange {
  from: number;
  to: number;
}

export interface Highlights {
  ranges: readonly Highlight<TextRange>[];
  decorations: DecorationSet;
}

export const setHighlights: StateEffectType<readonly Highlight<TextRange>[]> =
  StateEffect.define<readonly Highlight<TextRange>[]>();

/** What the editor highlights. It follows edits until the threads are found again, which is within the same task. */
export const highlightField: StateField<Highlights> = StateField.define<Highlights>({
  create: () => ({ ranges: [], decorations: Decoration.none }),
  update(before, { effects, docChanged, changes, newDoc }) {
    const set = effects.findLast((effect) => effect.is(setHighlights));
    if (set?.is(setHighlights)) return decorate(set.value, newDoc);
    if (!docChanged) return before;
    const ranges = before.ranges.map(({ range: { from, to }, ...highlight }) => {
      return { ...highlight, range: { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) } };
    });
    return { ranges, decorations: before.decorations.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function decorate(ranges: readonly Highlight<TextRange>[], { length }: Text): Highlights {
  const isShown = ({ range: { from, to } }: Highlight<TextRange>) => from < to && to <= length;
  return { ranges, decorations: Decoration.set(ranges.filter(isShown).map(toDecoration), true) };
}

function toDecoration({ annotationId, range, isActive, cardId }: Highlight<TextRange>): Range<Decoration> {
  const attributes = {
    ...(annotationId !== undefined && { "data-annotation-id": annotationId }),
    ...(isActive && { "data-active": "true" }),
    ...(cardId !== undefined && { "aria-details": cardId }),
  };
  return Decoration.mark({ tagName: "mark", class: "colloquy-highlight", attributes }).range(range.from, range.to);
}

/** Returns the thread with the shortest text around a position. */
export function findThread(state: EditorState, position: number): string | undefined {
  const around = state.field(highlightField).ranges.filter(({ annotationId, range: { from, to } }) => {
    return annotationId !== undefined && from <= position && position <= to;
  });
  const length = ({ range }: Highlight<TextRange>) => range.to - range.from;
  return around.sort((a, b) => length(a) - length(b))[0]?.annotationId;
}
