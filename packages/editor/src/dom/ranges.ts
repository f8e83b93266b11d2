import type { Highlight } from "../model/adapter.ts";

/** Compares two ranges by reading order, as a function of `Array.sort`. */
export function compareRanges(a: Range, b: Range): number {
  return a.compareBoundaryPoints(Range.START_TO_START, b) || a.compareBoundaryPoints(Range.END_TO_END, b);
}

/** Returns where a range is in the window, or undefined if the browser does not show it. */
export function getRangeRect(range: Range): DOMRect | undefined {
  const box = range.getBoundingClientRect();
  return box.width > 0 || box.height > 0 ? box : undefined;
}

/** Returns the thread with the shortest text at a point of the window. */
export function findThreadAt(
  highlights: readonly Highlight<Range>[],
  { clientX: x, clientY: y }: Pick<MouseEvent, "clientX" | "clientY">,
): string | undefined {
  const found = highlights.flatMap(({ annotationId, range }) => {
    const isHit = [...range.getClientRects()].some(({ left, right, top, bottom }) => {
      return left <= x && x <= right && top <= y && y <= bottom;
    });
    return isHit ? [{ annotationId, length: range.toString().length }] : [];
  });
  return found.sort((a, b) => a.length - b.length)[0]?.annotationId;
}

/** Scrolls until the beginning of a range is visible. Its paragraph may be visible where the range is not. */
export function revealRange(range: Range): void {
  range.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
  const { top, bottom } = range.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) scrollBy({ top: top - innerHeight / 3 });
}

/** Returns the text that the user has selected in an element. */
export function getSelectedRange(root: Element): Range | undefined {
  const selection = root.ownerDocument.getSelection();
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  return range.intersectsNode(root) ? range : undefined;
}
