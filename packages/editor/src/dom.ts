export { attachPage, type PageOptions } from "./dom/attach-page.ts";
export { watchLayout } from "./dom/layout-changes.ts";
export { movePin, type Point, pinAnchorAt, pinPosition } from "./dom/pin-position.ts";
export { createPins, type Pin, type Pins, type PinsOptions } from "./dom/pins.ts";
export { placeCards } from "./dom/place-cards.ts";
export { buildSelector, findElement } from "./dom/selector.ts";
export type { PointAnchor } from "./model/anchor.ts";
