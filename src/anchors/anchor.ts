import { fromBase64, toBase64 } from "lib0/buffer";
import * as Y from "yjs";
import { findQuote, type SearchEffort } from "./find-quote.ts";
import { buildQuote, type Quote, shortenQuote } from "./quote.ts";
import type { SharedText } from "./shared-text.ts";

/** A passage of a collaborative document. */
export interface TextAnchor {
  /** Base64 of `Y.encodeRelativePosition`. */
  start: string;
  end: string;
  quote: Quote;
}

/**
 * State of an anchor: `attached` to its passage, whose words may have changed, `moved` to the passage that is most like
 * its quote, or `detached`, as its passage is gone.
 */
export type AnchorState = "attached" | "moved" | "detached";

/** A passage of the present text. `text` is as quotes are: the middle of a long one is left out. */
export interface PresentPassage {
  state: "attached" | "moved";
  text: string;
  start: number;
  end: number;
  /** Whether everybody finds the passage by the positions of the anchor. Otherwise it needs new ones. */
  isKept: boolean;
}

export type ResolvedAnchor = PresentPassage | { state: "detached"; text: ""; start?: never; end?: never };

/** Maximum length of a relative position: a shared name of 256 UTF-16 units, each of 3 bytes, in Base64. */
export const MAX_POSITION_LENGTH = 1_100;

/** Returns a relative position as it is stored. */
export function encodePosition(position: Y.RelativePosition): string {
  return toBase64(Y.encodeRelativePosition(position));
}

/** Returns a stored relative position, or undefined if the text is none. */
export function decodePosition(encoded: string): Y.RelativePosition | undefined {
  if (encoded.length > MAX_POSITION_LENGTH) return undefined;
  try {
    const position = Y.decodeRelativePosition(fromBase64(encoded));
    return encodePosition(position) === encoded ? position : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Anchors the passage from `start` to `end` of a text, in UTF-16 units. Returns undefined if it has no characters of
 * the shared type.
 */
export function buildAnchor(shared: SharedText, start: number, end: number): TextAnchor | undefined {
  const [first, last] = [shared.toPosition(start, "start"), shared.toPosition(end, "end")];
  if (start >= end || !first || !last) return undefined;
  return {
    start: encodePosition(first),
    end: encodePosition(last),
    quote: buildQuote(shared.text, start, end),
  };
}

/** Finds the passage of an anchor in the present text: by its positions, or else by its quote. */
export function resolveAnchor(
  shared: SharedText,
  { start, end, quote }: TextAnchor,
  effort?: SearchEffort,
): ResolvedAnchor {
  const [first, last] = [decodePosition(start), decodePosition(end)];
  const [from, to] = [first && shared.toOffset(first), last && shared.toOffset(last)];
  const { text } = shared;
  if (from !== undefined && to !== undefined && first && last && (from < to || (from === to && quote.exact === ""))) {
    const whole = findAround(text, from, to, quote.exact);
    if (whole) return { state: "attached", text: quote.exact, ...whole, isKept: false };
    const present = text.slice(from, to);
    const areThere = shared.isThere(first) && shared.isThere(last);
    if (areThere || isRest(present, quote.exact)) {
      const isKept = shared.isKept(first) && shared.isKept(last);
      return { state: "attached", text: shortenQuote(present), start: from, end: to, isKept };
    }
  }
  const found = findQuote(text, quote, from ?? to, effort);
  if (!found) return { state: "detached", text: "" };
  const state = found.isExact ? "attached" : "moved";
  const passage = shortenQuote(text.slice(found.start, found.end));
  return { state, text: passage, start: found.start, end: found.end, isKept: false };
}

/**
 * Finds a passage around a part of it. What was deleted of a passage comes back beside the positions: by a restore, by
 * somebody who types it again, or by an undo, which restores several Yjs items before the position of the first one.
 */
function findAround(
  text: string,
  from: number,
  to: number,
  passage: string,
): { start: number; end: number } | undefined {
  if (to - from >= passage.length) return undefined;
  const first = Math.max(0, to - passage.length);
  const place = text.slice(first, from + passage.length).indexOf(passage);
  return place < 0 ? undefined : { start: first + place, end: first + place + passage.length };
}

/** Shortest rest of a passage that is still a passage, unless it is half of it. */
const MIN_REST_LENGTH = 8;

/** Returns whether a text is what remained of a passage after some of its characters were deleted. */
function isRest(text: string, passage: string): boolean {
  const { length } = text.trim();
  return length > 0 && passage.includes(text) && (length >= MIN_REST_LENGTH || length >= passage.length / 2);
}
