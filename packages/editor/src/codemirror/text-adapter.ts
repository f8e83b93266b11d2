import { EditorView, type ViewUpdate } from "@codemirror/view";
import { ySyncFacet } from "y-codemirror.next";
import * as Y from "yjs";
import type { EditorAdapter, Highlight } from "../model/adapter.ts";
import { YjsAnchors } from "../model/yjs-anchors.ts";
import { highlightField, setHighlights, type TextRange } from "./highlight-field.ts";

/** Pixels between a revealed text and the edge of the editor. */
const MARGIN = 48;

interface TextAdapter {
  adapter: EditorAdapter<TextRange>;
  /** The view has changed. */
  update(update: ViewUpdate): void;
}

/** Returns what the model needs of a CodeMirror editor whose text is a Y.Text, character by character. */
export function createAdapter(view: EditorView, editorId: string): TextAdapter {
  let onChange = () => {};
  /** Returns the text. The facet has no value without `yCollab`. */
  const getText = (): Y.Text | undefined => view.state.facet(ySyncFacet)?.ytext;
  const anchors = new YjsAnchors<TextRange>(editorId, {
    refresh: () => onChange(),
    getType: getText,
    toRange({ start, end }) {
      const isShown = start.type === getText() && end.type === start.type && end.index <= view.state.doc.length;
      return isShown && start.index < end.index ? { from: start.index, to: end.index } : undefined;
    },
    getSelection() {
      const text = getText();
      const { from, to, empty } = view.state.selection.main;
      if (!text || empty) return undefined;
      return {
        start: Y.createRelativePositionFromTypeIndex(text, from, 0),
        end: Y.createRelativePositionFromTypeIndex(text, to, -1),
      };
    },
  });
  return {
    adapter: {
      resolve: anchors.resolve,
      isPending: anchors.isPending,
      createAnchor: anchors.createAnchor,
      compare: (a, b) => a.from - b.from || a.to - b.to,
      highlight(highlights) {
        if (areEqual(highlights, view.state.field(highlightField).ranges)) return;
        view.dispatch({ effects: setHighlights.of(highlights) });
      },
      getRect({ from, to }) {
        const [start, end] = [view.coordsAtPos(from, 1), view.coordsAtPos(to, -1)];
        if (start && end) {
          const left = Math.min(start.left, end.left);
          return { top: start.top, bottom: end.bottom, left, right: Math.max(start.right, end.right) };
        }
        // CodeMirror draws only the lines near the visible ones, and estimates where the others are.
        const [first, last] = [view.lineBlockAt(from), view.lineBlockAt(to)];
        const { left, right } = view.contentDOM.getBoundingClientRect();
        return { top: view.documentTop + first.top, bottom: view.documentTop + last.bottom, left, right };
      },
      reveal({ from }) {
        const effects = EditorView.scrollIntoView(from, { y: "nearest", yMargin: MARGIN });
        view.dispatch({ effects, ...(view.hasFocus && { selection: { anchor: from } }) });
      },
      subscribe(listener) {
        onChange = listener;
        return () => {
          onChange = () => {};
          anchors.stop();
        };
      },
    },
    update({ docChanged }) {
      if (docChanged) onChange();
    },
  };
}

function areEqual(a: readonly Highlight<TextRange>[], b: readonly Highlight<TextRange>[]): boolean {
  return a.length === b.length && a.every((each, index) => isEqual(each, b[index]));
}

function isEqual(a: Highlight<TextRange>, b: Highlight<TextRange> | undefined): boolean {
  const isSameRange = a.range.from === b?.range.from && a.range.to === b.range.to;
  return isSameRange && a.annotationId === b.annotationId && a.isActive === b.isActive && a.cardId === b.cardId;
}
