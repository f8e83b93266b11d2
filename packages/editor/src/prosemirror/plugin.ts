import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import * as Y from "yjs";
import type { EditorAdapter, Highlight } from "../model/adapter.ts";
import type { AnchoredThreads } from "../model/anchored-threads.ts";
import { handleKey } from "../model/keys.ts";
import { YjsAnchors } from "../model/yjs-anchors.ts";
import { toDocumentPosition, toRelativePosition } from "./positions.ts";

interface Range {
  from: number;
  to: number;
}

interface Highlights {
  ranges: readonly Highlight<Range>[];
  decorations: DecorationSet;
}

const KEY = new PluginKey<Highlights>("colloquy-comments");
const NONE: Highlights = { ranges: [], decorations: DecorationSet.empty };

/**
 * Returns a plugin that highlights the text of threads, opens the one that is clicked, and has the keys of comments.
 * The editor needs the plugin of y-prosemirror or of @tiptap/y-tiptap that synchronizes it.
 */
export function commentsPlugin(threads: AnchoredThreads): Plugin {
  return new Plugin<Highlights>({
    key: KEY,
    state: { init: () => NONE, apply: applyTransaction },
    props: {
      decorations: (state) => KEY.getState(state)?.decorations,
      handleClick(view, position, event) {
        // ProseMirror learns of the new selection after the click, and would take it back if it drew highlights now.
        const annotationId = findThread(view.state, position);
        const open = () => threads.open(annotationId, { scroll: false });
        if (event.button === 0) requestAnimationFrame(() => setTimeout(open));
        return false;
      },
      // ProseMirror has no other keys in an editor that is read only, in which commenters select text.
      handleDOMEvents: {
        keydown(_view, event) {
          const isHandled = handleKey(threads, event);
          if (isHandled) event.preventDefault();
          return isHandled;
        },
      },
    },
    view(view) {
      const { adapter, update } = createAdapter(view, threads.editorId ?? "");
      const detach = threads.attach(adapter);
      return { update, destroy: detach };
    },
  });
}

/** Returns what the plugin highlights. */
export function getHighlights(state: EditorState): readonly Highlight<Range>[] {
  return KEY.getState(state)?.ranges ?? [];
}

function applyTransaction(tr: Transaction, highlights: Highlights): Highlights {
  const ranges = castMeta(tr.getMeta(KEY));
  if (ranges) return { ranges, decorations: DecorationSet.create(tr.doc, ranges.map(toDecoration)) };
  if (!tr.docChanged) return highlights;
  return {
    ranges: highlights.ranges.map(({ range, ...highlight }) => {
      return { ...highlight, range: { from: tr.mapping.map(range.from, 1), to: tr.mapping.map(range.to, -1) } };
    }),
    decorations: highlights.decorations.map(tr.mapping, tr.doc),
  };
}

/** Casts what a transaction says about this plugin: only its adapter writes it. */
function castMeta(meta: unknown): readonly Highlight<Range>[] | undefined {
  return meta as readonly Highlight<Range>[] | undefined;
}

function toDecoration({ annotationId, range, isActive, cardId }: Highlight<Range>): Decoration {
  return Decoration.inline(range.from, range.to, {
    nodeName: "mark",
    class: "colloquy-highlight",
    ...(annotationId !== undefined && { "data-annotation-id": annotationId }),
    ...(isActive && { "data-active": "true" }),
    ...(cardId !== undefined && { "aria-details": cardId }),
  });
}

/** Returns the thread with the shortest text around a position. */
function findThread(state: EditorState, position: number): string | undefined {
  const around = getHighlights(state).filter(({ annotationId, range: { from, to } }) => {
    return annotationId !== undefined && from <= position && position <= to;
  });
  const length = ({ range }: Highlight<Range>) => range.to - range.from;
  return around.toSorted((a, b) => length(a) - length(b))[0]?.annotationId;
}

/** The state of the plugin that synchronizes the editor with Yjs. */
interface SyncState {
  type: Y.XmlFragment;
  /** The version that is shown instead of the present content. */
  snapshot?: unknown;
}

/** Finds the plugin by its state. Two packages have one, each with a key of its own. */
function findType(state: EditorState): Y.XmlFragment | undefined {
  const isSync = (value: unknown): value is SyncState =>
    typeof value === "object" &&
    value !== null &&
    "binding" in value &&
    "type" in value &&
    value.type instanceof Y.XmlFragment;
  const found = state.plugins.map((plugin) => plugin.getState(state)).find(isSync);
  return found && (found.snapshot ?? undefined) === undefined ? found.type : undefined;
}

function createAdapter(view: EditorView, editorId: string) {
  let onChange = () => {};
  const anchors = new YjsAnchors<Range>(editorId, {
    refresh: () => onChange(),
    getType: () => findType(view.state),
    toRange(ends) {
      const type = findType(view.state);
      const from = type && toDocumentPosition(type, view.state.doc, ends.start);
      const to = type && toDocumentPosition(type, view.state.doc, ends.end);
      return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
    },
    getSelection() {
      const type = findType(view.state);
      const { from, to, empty } = view.state.selection;
      const start = type && toRelativePosition(type, view.state.doc, from, "start");
      const end = type && toRelativePosition(type, view.state.doc, to, "end");
      return start && end && !empty ? { start, end } : undefined;
    },
  });
  const adapter: EditorAdapter<Range> = {
    resolve: anchors.resolve,
    isPending: anchors.isPending,
    createAnchor: anchors.createAnchor,
    compare: (a, b) => a.from - b.from || a.to - b.to,
    highlight(highlights) {
      if (view.isDestroyed || areEqual(highlights, getHighlights(view.state))) return;
      view.dispatch(view.state.tr.setMeta(KEY, highlights).setMeta("addToHistory", false));
    },
    getRect({ from, to }) {
      const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)];
      const left = Math.min(start.left, end.left);
      return { top: start.top, bottom: end.bottom, left, right: Math.max(start.right, end.right) };
    },
    reveal({ from }) {
      const { tr } = view.state;
      if (view.hasFocus()) view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(from))));
      const { node } = view.domAtPos(from, 1);
      const element = node instanceof Element ? node : node.parentElement;
      element?.scrollIntoView({ block: "nearest" });
    },
    subscribe(listener) {
      onChange = listener;
      return () => {
        onChange = () => {};
        anchors.stop();
      };
    },
  };
  return {
    adapter,
    update(_view: EditorView, before: EditorState) {
      if (before.doc !== view.state.doc || findType(before) !== findType(view.state)) onChange();
    },
  };
}

function areEqual(a: readonly Highlight<Range>[], b: readonly Highlight<Range>[]): boolean {
  return a.length === b.length && a.every((each, index) => isEqual(each, b[index]));
}

function isEqual(a: Highlight<Range>, b: Highlight<Range> | undefined): boolean {
  const isSameRange = a.range.from === b?.range.from && a.range.to === b.range.to;
  return isSameRange && a.annotationId === b.annotationId && a.isActive === b.isActive && a.cardId === b.cardId;
}
