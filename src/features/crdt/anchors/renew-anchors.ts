import type * as Y from "yjs";
import {
  buildAnchor,
  type ResolvedAnchor,
  resolveAnchor,
  SearchEffort,
  type TextAnchor,
} from "../../../anchors/anchors.ts";
import type { SharedType } from "../shared-type.ts";
import { AnchoredTexts } from "./anchored-texts.ts";

/** An annotation with an anchor in a collaborative document. */
export interface StoredAnchor {
  /** The annotation's sequence. */
  sequence: number;
  /** JSON text of the anchor. */
  anchor: string;
  /** JSON texts of what the service knows of it; null if it is unknown. */
  anchorState: string | null;
  anchorText: string | null;
}

/** An anchor whose passage, or whose state, is another one than was stored. */
export interface RenewedAnchor extends Pick<StoredAnchor, "sequence" | "anchor"> {
  anchorState: ResolvedAnchor["state"];
  anchorText: string;
  /** New relative positions, if others than the stored ones hold the passage. */
  positions: Pick<TextAnchor, "start" | "end"> | undefined;
}

/**
 * Number of UTF-16 units in which passages that have changed are searched, for all anchors of a document. One million
 * takes 5 ms: a text of 1 MB is searched for about 100 changed passages, or 5,000 unchanged ones, in 0.5 to 3 s.
 */
const SEARCHED_LENGTH = 100_000_000;

/**
 * Finds the passages of anchors in a document, and returns the anchors that change. Anchors in a map or an array stay
 * as they are unless their positions are in a text within it.
 */
export function renewAnchors(
  document: Y.Doc,
  content: { type: SharedType; contentKey: string },
  anchors: readonly StoredAnchor[],
): RenewedAnchor[] {
  const texts = new AnchoredTexts(document, content);
  const effort = new SearchEffort(SEARCHED_LENGTH);
  return anchors.flatMap((stored) => renewAnchor(texts, stored, effort) ?? []);
}

/** Returns the anchors as those of a document that was deleted. */
export function detachAnchors(anchors: readonly StoredAnchor[]): RenewedAnchor[] {
  return anchors.flatMap((stored) => toRenewed(stored, { state: "detached", text: "" }, undefined) ?? []);
}

function renewAnchor(texts: AnchoredTexts, stored: StoredAnchor, effort: SearchEffort): RenewedAnchor | undefined {
  const anchor = readAnchor(stored.anchor);
  const shared = texts.get(anchor);
  if (!shared) return undefined;
  const resolved = resolveAnchor(shared, anchor, effort);
  if (resolved.state === "detached" || resolved.isKept) return toRenewed(stored, resolved, undefined);
  const { start, end } = buildAnchor(shared, resolved.start, resolved.end) ?? {};
  return toRenewed(stored, resolved, start !== undefined && end !== undefined ? { start, end } : undefined);
}

function toRenewed(
  { sequence, anchor, anchorState, anchorText }: StoredAnchor,
  { state: present, text }: Pick<ResolvedAnchor, "state" | "text">,
  positions: RenewedAnchor["positions"],
): RenewedAnchor | undefined {
  // The positions of a similar passage hold it from then on, but it is still another one than was quoted.
  const state = present === "attached" && !positions && anchorState === '"moved"' ? "moved" : present;
  if (!positions && JSON.stringify(state) === anchorState && JSON.stringify(text) === anchorText) return undefined;
  return { sequence, anchor, anchorState: state, anchorText: text, positions };
}

/** Reads a stored anchor; the cast holds because only validated anchors are stored. */
function readAnchor(anchor: string): TextAnchor {
  return JSON.parse(anchor) as TextAnchor;
}
