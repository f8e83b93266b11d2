/** A point of an element, in parts of its width and height. */
export interface Point {
  x: number;
  y: number;
}

/** Part of an element by which an arrow key moves a pin. */
const STEP = 0.01;
/** Distance in pixels from which on a press is a movement. */
const DRAG_DISTANCE = 4;

/** Returns the point of an element at coordinates of the viewport. */
export function toPoint(element: Element, { x, y }: Point): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: clamp((x - left) / width), y: clamp((y - top) / height) };
}

/** Returns where an arrow key moves a point; with Shift, five times as far. */
export function movePoint({ x, y }: Point, key: string, isFast: boolean): Point | undefined {
  const step = isFast ? 5 * STEP : STEP;
  const moves: Record<string, [x: number, y: number]> = {
    ArrowLeft: [-step, 0],
    ArrowRight: [step, 0],
    ArrowUp: [0, -step],
    ArrowDown: [0, step],
  };
  const move = moves[key];
  return move && { x: clamp(x + move[0]), y: clamp(y + move[1]) };
}

/** Returns whether the pointer has moved so far that the user drags. */
export function isDrag(from: Point, to: Point): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) >= DRAG_DISTANCE;
}

/** Returns a part from 0 to 1, with a precision of less than a pixel. */
function clamp(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;
}
