export type { EditorAdapter, Highlight, ResolvedAnchor } from "./model/adapter.ts";
export type { Anchor, PointAnchor, Quote, QuoteAnchor, TextAnchor } from "./model/anchor.ts";
export {
  AnchoredThreads,
  type AnchoredThreadsOptions,
  type AnchoredThreadsState,
  type ThreadsSource,
} from "./model/anchored-threads.ts";
export type { AnchoredThread } from "./model/attached-editor.ts";
export { type Card, layoutCards } from "./model/card-layout.ts";
