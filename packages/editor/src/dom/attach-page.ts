import type { CommentAnnotation } from "@colloquy/client";
import type { EditorAdapter, Highlight } from "../model/adapter.ts";
import type { PointAnchor } from "../model/anchor.ts";
import type { AnchoredThreads } from "../model/anchored-threads.ts";
import { handleKey } from "../model/keys.ts";
import { PageText } from "./page-text.ts";
import { pinPosition } from "./pin-position.ts";
import { createPins, type Pin } from "./pins.ts";
import { createRangePainter } from "./range-painter.ts";
import { compareRanges, findThreadAt, getRangeRect, getSelectedRange, revealRange } from "./ranges.ts";
import { findElement } from "./selector.ts";

/** A passage of the page, or a point of an element. */
type PageRange = { kind: "text"; range: Range } | { kind: "point"; element: Element; anchor: PointAnchor };

export interface PageOptions {
  /** Element whose text and images users comment on. */
  root: HTMLElement;
  /** Returns what the pin of a thread on a point shows. Without it, another part of the page shows pins. */
  toPin?(thread: CommentAnnotation): Pick<Pin, "text" | "label" | "isMovable">;
  /** The user has moved a pin. */
  onMovePin?(annotationId: string, anchor: PointAnchor): void;
}

/**
 * Shows the threads on the text of a page, opens the one whose text is clicked, and has the keys of comments. Returns
 * what ends it.
 */
export function attachPage(threads: AnchoredThreads, { root, toPin, onMovePin }: PageOptions): () => void {
  const { ownerDocument } = root;
  const painter = createRangePainter(root);
  const controller = new AbortController();
  let onChange = () => {};
  let highlights: readonly Highlight<PageRange>[] = [];
  const text = new PageText(root, () => onChange());
  const pins =
    toPin &&
    createPins({
      root,
      onOpen: (annotationId) => threads.open(annotationId, { scroll: false }),
      onMove: (annotationId, anchor) => onMovePin?.(annotationId, anchor),
    });

  const adapter: EditorAdapter<PageRange> = {
    resolve(anchor) {
      if ("editorId" in anchor) return undefined;
      if ("quote" in anchor) {
        const found = text.find(anchor);
        return found && { range: { kind: "text", range: found.range }, state: found.state };
      }
      const element = findElement(root, anchor.selector);
      return element && { range: { kind: "point", element, anchor }, state: "attached" };
    },
    createAnchor() {
      const range = getSelectedRange(root);
      return range && text.createAnchor(range);
    },
    compare: comparePageRanges,
    highlight(next) {
      highlights = next;
      painter.paint(next.flatMap(({ range, isActive }) => (range.kind === "text" ? [{ ...range, isActive }] : [])));
      const ordered = [...next].sort((a, b) => comparePageRanges(a.range, b.range));
      pins?.show(ordered.flatMap((highlight) => toPins(highlight)));
    },
    getRect(pageRange) {
      if (pageRange.kind === "text") return getRangeRect(pageRange.range);
      const point = pinPosition(pageRange.element, pageRange.anchor);
      return point && { ...point, right: point.left, bottom: point.top };
    },
    reveal(pageRange) {
      if (pageRange.kind === "text") revealRange(pageRange.range);
      else pageRange.element.scrollIntoView({ block: "nearest" });
    },
    subscribe(listener) {
      onChange = listener;
      return () => {
        onChange = () => {};
      };
    },
  };

  function toPins({ annotationId, range, isActive }: Highlight<PageRange>): Pin[] {
    if (range.kind === "text" || !toPin) return [];
    const shown = threads.getState().threads.find(({ thread }) => thread.annotationId === annotationId);
    return shown
      ? [{ ...toPin(shown.thread), annotationId: shown.thread.annotationId, anchor: range.anchor, isActive }]
      : [];
  }

  function handleClick(event: MouseEvent): void {
    if (event.button !== 0 || getSelectedRange(root)) return;
    const texts = highlights.flatMap(({ range: pageRange, ...highlight }) => {
      return pageRange.kind === "text" ? [{ ...highlight, range: pageRange.range }] : [];
    });
    threads.open(findThreadAt(texts, event), { scroll: false });
  }

  function handleKeydown(event: KeyboardEvent): void {
    // An editor on the page may have handled the key for its own threads.
    if (!event.defaultPrevented && handleKey(threads, event)) event.preventDefault();
  }

  root.addEventListener("click", handleClick, { signal: controller.signal });
  ownerDocument.addEventListener("keydown", handleKeydown, { signal: controller.signal });
  const detach = threads.attach(adapter);
  return () => {
    detach();
    controller.abort();
    text.destroy();
    pins?.destroy();
    painter.destroy();
  };
}

/** Compares ranges in the order of the page; points of one element from top to bottom. */
function comparePageRanges(a: PageRange, b: PageRange): number {
  if (a.kind === "point" && b.kind === "point" && a.element === b.element) {
    return a.anchor.y - b.anchor.y || a.anchor.x - b.anchor.x;
  }
  return compareRanges(toRange(a), toRange(b));
}

function toRange(pageRange: PageRange): Range {
  if (pageRange.kind === "text") return pageRange.range;
  const range = pageRange.element.ownerDocument.createRange();
  range.selectNode(pageRange.element);
  return range;
}
