import type { LexicalEditor } from "lexical";
import type { XmlText } from "yjs";
import { createRangePainter, type RangePainter } from "../dom/range-painter.ts";
import { compareRanges, findThreadAt, getRangeRect, getSelectedRange, revealRange } from "../dom/ranges.ts";
import { TextIndex } from "../dom/text-index.ts";
import type { EditorAdapter, Highlight } from "../model/adapter.ts";
import type { AnchoredThreads } from "../model/anchored-threads.ts";
import { handleKey } from "../model/keys.ts";
import { YjsAnchors } from "../model/yjs-anchors.ts";
import { LexicalText } from "./lexical-text.ts";

/** Tells where the content of an editor is in Yjs, as a `LexicalCollaboration` does. */
export interface LexicalContent {
  getRoot(): XmlText | undefined;
}

/**
 * Highlights the text of threads in an editor, without a change of its nodes and of their elements, opens the thread
 * that is clicked, and has the keys of comments. Returns what ends it.
 */
export function registerComments(editor: LexicalEditor, threads: AnchoredThreads, content: LexicalContent): () => void {
  let onChange = () => {};
  let highlights: readonly Highlight<Range>[] = [];
  let painter: RangePainter | undefined;
  let snapshot: LexicalText | undefined;

  function getText(): LexicalText | undefined {
    const root = content.getRoot();
    if (root && !snapshot?.isCurrent(root)) snapshot = new LexicalText(editor, root);
    return root && snapshot;
  }

  const anchors = new YjsAnchors<Range>(threads.editorId ?? "", {
    refresh: () => onChange(),
    getType: () => (editor.getRootElement() ? content.getRoot() : undefined),
    toRange: (ends) => getText()?.toRange(ends),
    getSelection() {
      const element = editor.getRootElement();
      const [text, selected] = [getText(), element && getSelectedRange(element)];
      const range = element && selected && toTextRange(element, selected);
      const start = range && text?.toPosition(range.startContainer, range.startOffset, "start");
      const end = range && text?.toPosition(range.endContainer, range.endOffset, "end");
      return start && end ? { start, end } : undefined;
    },
  });
  const adapter: EditorAdapter<Range> = {
    resolve: anchors.resolve,
    isPending: anchors.isPending,
    createAnchor: anchors.createAnchor,
    compare: compareRanges,
    highlight(next) {
      highlights = next;
      painter?.paint(next);
    },
    getRect: getRangeRect,
    reveal(range) {
      revealRange(range);
      const { startContainer, startOffset } = range;
      const { activeElement } = startContainer.ownerDocument ?? document;
      const selection = startContainer.ownerDocument?.getSelection();
      if (editor.getRootElement()?.contains(activeElement)) selection?.collapse(startContainer, startOffset);
    },
    subscribe(listener) {
      onChange = listener;
      return () => {
        onChange = () => {};
        anchors.stop();
      };
    },
  };

  function handleClick(event: MouseEvent): void {
    const element = editor.getRootElement();
    if (event.button === 0 && element && !getSelectedRange(element))
      threads.open(findThreadAt(highlights, event), { scroll: false });
  }

  /** Handles keys in the editor. One that is read only has no focus, but users select text in it. */
  function handleKeydown(event: KeyboardEvent): void {
    const element = editor.getRootElement();
    if (!element || event.defaultPrevented) return;
    const { activeElement, body } = element.ownerDocument;
    const isInEditor = element.contains(activeElement) || (activeElement === body && getSelectedRange(element));
    if (isInEditor && handleKey(threads, event)) event.preventDefault();
  }

  const unregister = [
    editor.registerUpdateListener(({ dirtyElements, dirtyLeaves }) => {
      if (dirtyElements.size > 0 || dirtyLeaves.size > 0) onChange();
    }),
    editor.registerRootListener((element, before) => {
      painter?.destroy();
      before?.removeEventListener("click", handleClick);
      before?.ownerDocument.removeEventListener("keydown", handleKeydown);
      painter = element ? createRangePainter(element) : undefined;
      element?.addEventListener("click", handleClick);
      element?.ownerDocument.addEventListener("keydown", handleKeydown);
      onChange();
    }),
    threads.attach(adapter),
  ];
  return () => {
    for (const end of unregister) end();
    const element = editor.getRootElement();
    element?.removeEventListener("click", handleClick);
    element?.ownerDocument.removeEventListener("keydown", handleKeydown);
    painter?.destroy();
  };
}

/** Returns the range between the first and last character of a range within an element. */
function toTextRange(element: Element, selected: Range) {
  const index = new TextIndex(element);
  const { start, end } = index.toOffsets(selected);
  const range = index.toRange(start, end);
  const [startContainer, endContainer] = [range?.startContainer, range?.endContainer];
  if (!range || !(startContainer instanceof Text) || !(endContainer instanceof Text)) return undefined;
  return { startContainer, startOffset: range.startOffset, endContainer, endOffset: range.endOffset };
}
