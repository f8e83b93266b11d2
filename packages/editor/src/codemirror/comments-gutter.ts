import { type EditorState, type Extension, RangeSet } from "@codemirror/state";
import { GutterMarker, gutter } from "@codemirror/view";
import type { AnchoredThreads } from "../model/anchored-threads.ts";
import { highlightField } from "./highlight-field.ts";

class ThreadMarker extends GutterMarker {
  override elementClass = "colloquy-gutter-mark";

  override eq(other: GutterMarker): boolean {
    return other instanceof ThreadMarker;
  }

  override toDOM(): Node {
    return document.createTextNode("●");
  }
}

const MARKER = new ThreadMarker();

/**
 * Returns a gutter that marks the lines in which threads begin. A click on a mark opens the first of them. Gutters of
 * CodeMirror are hidden from screen readers, whose users go from thread to thread by keys.
 */
export function commentsGutter(threads: AnchoredThreads): Extension {
  return gutter({
    class: "colloquy-gutter",
    markers: ({ state }) =>
      RangeSet.of(
        [...getLines(state).keys()].map((from) => MARKER.range(from)),
        true,
      ),
    domEventHandlers: {
      click({ state }, { from }) {
        const annotationId = getLines(state).get(from);
        if (annotationId !== undefined) threads.open(annotationId);
        return annotationId !== undefined;
      },
    },
  });
}

/** Returns the first thread of each line in which threads begin, by the place where the line begins. */
function getLines(state: EditorState): Map<number, string> {
  const lines = new Map<number, string>();
  const { ranges } = state.field(highlightField);
  for (const { annotationId, range } of [...ranges].sort((a, b) => a.range.from - b.range.from)) {
    const { from } = state.doc.lineAt(Math.min(range.from, state.doc.length));
    if (annotationId !== undefined && !lines.has(from)) lines.set(from, annotationId);
  }
  return lines;
}
