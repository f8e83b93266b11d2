export type { EditorAdapter, Highlight, Place } from "./model/adapter.ts";
export type { Anchor, ElementAnchor, PointAnchor, Quote, TextAnchor } from "./model/anchor.ts";
export { type Card, layoutCards } from "./model/card-layout.ts";
