import type { PointAnchor } from "../model/anchor.ts";
import { buildSelector } from "./selector.ts";
import { getVisibleBox } from "./visible-box.ts";

/** A point in pixels. */
export interface Point {
  left: number;
  top: number;
}

/** Part of an element by which an arrow key moves a pin. */
const STEP = 0.01;

const DIRECTIONS: { [key: string]: [x: number, y: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Returns where a pin is in the viewport, or within `layer`, the element that holds the pins. Returns undefined if the
 * element is not shown, or if a scrolling ancestor hides the point.
 */
export function pinPosition(
  element: Element,
  { x, y }: Pick<PointAnchor, "x" | "y">,
  layer?: Element,
): Point | undefined {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (width === 0 && height === 0) return undefined;
  const point = { left: left + x * width, top: top + y * height };
  const box = getVisibleBox(element, layer);
  const isHidden = point.left < box.left || point.left > box.right || point.top < box.top || point.top > box.bottom;
  if (isHidden) return undefined;
  return layer ? toLayer(point, layer) : point;
}

/** Returns a point of the viewport as a point of an element, from its padding box on. */
function toLayer({ left, top }: Point, layer: Element): Point {
  const origin = layer.getBoundingClientRect();
  return {
    left: left - origin.left - layer.clientLeft + layer.scrollLeft,
    top: top - origin.top - layer.clientTop + layer.scrollTop,
  };
}

/** Returns the anchor of a point of the viewport, such as that of a click on the element. */
export function pinAnchorAt(element: Element, { left, top }: Point): PointAnchor {
  const box = element.getBoundingClientRect();
  const [x, y] = [toPart(left - box.left, box.width), toPart(top - box.top, box.height)];
  return { selector: buildSelector(element), x, y };
}

/**
 * Returns the anchor of a pin that a key moves, or undefined for other keys: arrow keys move it by one percent of its
 * element, with Shift by five. It stays within the element.
 */
export function movePin<Anchor extends PointAnchor>(
  anchor: Anchor,
  { key, shiftKey }: { key: string; shiftKey: boolean },
): Anchor | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const step = shiftKey ? 5 * STEP : STEP;
  return { ...anchor, x: toPart(anchor.x + direction[0] * step, 1), y: toPart(anchor.y + direction[1] * step, 1) };
}

/** Returns a distance as a part of a length, with the precision of a tenth of a pixel in 10,000. */
function toPart(distance: number, length: number): number {
  if (length === 0) return 0;
  return Math.round(Math.min(1, Math.max(0, distance / length)) * 1e5) / 1e5;
}
