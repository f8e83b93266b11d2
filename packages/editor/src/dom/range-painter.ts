import { adoptStyles } from "./adopt-styles.ts";
import { createFrameTask, watchLayout } from "./layout-changes.ts";
import { IGNORED_ATTRIBUTE } from "./text-index.ts";
import { getVisibleBox } from "./visible-box.ts";

/** Range that is highlighted. */
interface PaintedRange {
  range: Range;
  isActive: boolean;
}

/** Highlights ranges of a page without a change of its DOM. */
export interface RangePainter {
  /** Highlights these ranges instead of those before. */
  paint(ranges: readonly PaintedRange[]): void;
  /** Removes the highlights. */
  destroy(): void;
}

/** Names of the highlights, such as `::highlight(colloquy-highlight)`; the second one is for the active thread. */
const NAMES = ["colloquy-highlight", "colloquy-highlight-active"] as const;
/** The colors are those of `styles.css`, and translucent, so that texts are legible on light and dark pages. */
const COLORS = ["var(--colloquy-highlight, #ffe99980)", "var(--colloquy-highlight-active, #ffd333b3)"];
const LINE = "var(--colloquy-highlight-line, #d4a72c)";
const STYLES = NAMES.map((name, index) =>
  [
    `::highlight(${name}) { background-color: ${COLORS[index]}; text-decoration: underline 2px ${LINE}; }`,
    `.${name} { position: absolute; background: ${COLORS[index]}; border-bottom: 2px solid ${LINE}; }`,
    `@media (forced-colors: active) { ::highlight(${name}) { background-color: Mark; color: MarkText; } }`,
  ].join("\n"),
).join("\n");

/** Highlights ranges in an element by the CSS Custom Highlight API or, in a browser without it, by rectangles. */
export function createRangePainter(root: Element): RangePainter {
  adoptStyles(root, STYLES);
  return "highlights" in CSS ? paintHighlights() : paintRectangles(root);
}

/** All painters of a page share one highlight for each name, because names are global. */
function paintHighlights(): RangePainter {
  let painted: readonly PaintedRange[] = [];
  function paint(ranges: readonly PaintedRange[]): void {
    if (areEqual(ranges, painted)) return;
    for (const { range, isActive } of painted) getHighlight(isActive).delete(range);
    for (const { range, isActive } of ranges) getHighlight(isActive).add(range);
    painted = ranges;
  }
  return { paint, destroy: () => paint([]) };
}

function areEqual(a: readonly PaintedRange[], b: readonly PaintedRange[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ range, isActive }, index) => range === b[index]?.range && isActive === b[index].isActive)
  );
}

function getHighlight(isActive: boolean): Highlight {
  const name = NAMES[isActive ? 1 : 0];
  const known = CSS.highlights.get(name);
  if (known) return known;
  const highlight = new Highlight();
  // The active thread is on top of others.
  highlight.priority = isActive ? 1 : 0;
  CSS.highlights.set(name, highlight);
  return highlight;
}

/** Paints rectangles into a layer at the end of the body, which follow the ranges. */
function paintRectangles(root: Element): RangePainter {
  const { ownerDocument } = root;
  const layer = ownerDocument.createElement("div");
  layer.setAttribute(IGNORED_ATTRIBUTE, "");
  layer.ariaHidden = "true";
  Object.assign(layer.style, { position: "absolute", inset: "0 auto auto 0", pointerEvents: "none" });
  let painted: readonly PaintedRange[] = [];

  function draw(): void {
    // All rectangles are read before any is written, so that the browser computes the layout once.
    const origin = layer.getBoundingClientRect();
    const drawn = painted.flatMap(({ range, isActive }) => {
      const box = getVisibleBox(range.commonAncestorContainer);
      return [...range.getClientRects()].flatMap((rectangle) => {
        const left = Math.max(rectangle.left, box.left);
        const top = Math.max(rectangle.top, box.top);
        const width = Math.min(rectangle.right, box.right) - left;
        const height = Math.min(rectangle.bottom, box.bottom) - top;
        return width > 0 && height > 0 ? [{ left, top, width, height, isActive }] : [];
      });
    });
    while (layer.childElementCount > drawn.length) layer.lastElementChild?.remove();
    while (layer.childElementCount < drawn.length) layer.append(ownerDocument.createElement("span"));
    for (const [index, { left, top, width, height, isActive }] of drawn.entries()) {
      const rectangle = layer.children[index] as HTMLElement;
      rectangle.className = NAMES[isActive ? 1 : 0];
      const place = { left: left - origin.left, top: top - origin.top, width, height };
      for (const [name, value] of Object.entries(place)) rectangle.style.setProperty(name, `${value}px`);
    }
  }

  const task = createFrameTask(draw);
  ownerDocument.body.append(layer);
  const stopWatching = watchLayout(ownerDocument.documentElement, draw, layer);
  return {
    paint(ranges) {
      painted = ranges;
      task.request();
    },
    destroy() {
      stopWatching();
      task.cancel();
      layer.remove();
    },
  };
}
