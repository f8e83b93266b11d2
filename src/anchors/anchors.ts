/**
 * Anchors of comments in collaborative texts, without anything of the service: `packages/editor` bundles this module.
 *
 * ```ts
 * const shared = new SharedText(document.getXmlFragment("content")); // or getText, or get("root", Y.XmlText)
 * shared.text; // blocks have a line break between them
 *
 * const anchor = buildAnchor(shared, 7, 13); // { start, end, quote }: add `editorId`, and it is an annotation's anchor
 * resolveAnchor(shared, anchor); // { state, text, start, end }: offsets in shared.text
 *
 * shared.toPosition(7, "start"); // a Y.RelativePosition, and back:
 * shared.toOffset(position); // 7, or undefined
 * encodePosition(position); // as anchors have it, and back by decodePosition
 *
 * findQuote(text, quote, near); // { start, end, isExact }: any text, so that it serves pages without Yjs too
 * buildQuote(text, start, end); // { exact, prefix, suffix }
 * ```
 *
 * A SharedText is a snapshot. Make another one after the document has changed, and resolve all anchors with it.
 */
export {
  type AnchorState,
  buildAnchor,
  decodePosition,
  encodePosition,
  MAX_POSITION_LENGTH,
  type PresentPassage,
  type ResolvedAnchor,
  resolveAnchor,
  type TextAnchor,
} from "./anchor.ts";
export { findQuote, findSame, type QuoteMatch, SearchEffort } from "./find-quote.ts";
export { buildQuote, MAX_QUOTE_LENGTH, QUOTE_CONTEXT_LENGTH, type Quote, shortenQuote } from "./quote.ts";
export { SharedText, type SharedType } from "./shared-text.ts";
