import type * as Y from "yjs";
import {
  buildAnchor,
  findSame,
  type ResolvedAnchor,
  resolveAnchor,
  SearchEffort,
  type SharedText,
  type TextAnchor,
} from "../../../anchors/anchors.ts";
import { areEqual } from "../../../json/record-texts.ts";
import type { SharedType } from "../shared-type.ts";
import { AnchoredTexts } from "./anchored-texts.ts";

/** An annotation with an anchor in a collaborative document. */
export interface StoredAnchor {
  /** The annotation's sequence. */
  sequence: number;
  /** JSON text of the AnchorFields. */
  fields: string;
}

/** Fields of an annotation: the anchor, and what the service knows of it, unless it is unknown. */
interface AnchorFields {
  anchor: TextAnchor;
  anchorState?: ResolvedAnchor["state"];
  anchorText?: string;
}

/** An anchor whose passage, or whose state, is another one than was stored. */
export interface RenewedAnchor {
  sequence: number;
  before: AnchorFields;
  after: AnchorFields;
}

/**
 * Number of UTF-16 units in which passages are searched, for all anchors of a document: once for those that have
 * changed, and once for those that have not. One million takes 20 to 35 ms, so an update takes at most 3 s longer. A
 * text of 1 MB is searched for about 50 changed passages of a line, or 6,000 unchanged ones.
 */
const SEARCHED_LENGTH = 50_000_000;

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
  return anchors.flatMap((stored) => renewAnchor(texts, stored, effort));
}

/** Returns the anchors as those of a document that was deleted. */
export function detachAnchors(anchors: readonly StoredAnchor[]): RenewedAnchor[] {
  return anchors.flatMap(({ sequence, fields }) => {
    const before = readFields(fields);
    return toRenewed(sequence, before, { ...before, anchorState: "detached", anchorText: "" });
  });
}

function renewAnchor(texts: AnchoredTexts, { sequence, fields }: StoredAnchor, effort: SearchEffort): RenewedAnchor[] {
  const before = readFields(fields);
  const { anchor, anchorState } = before;
  const shared = texts.get(anchor);
  if (!shared) return [];
  const { state, text: anchorText, ...passage } = resolve(shared, before, effort);
  const isKept = state === "detached" || ("isKept" in passage && passage.isKept);
  const built = isKept ? undefined : buildAnchor(shared, passage.start ?? 0, passage.end ?? 0);
  const after = { ...anchor, ...(built && { start: built.start, end: built.end }) };
  // The positions of a similar passage hold it from then on, but it is still another one than was quoted.
  const isStillMoved = state === "attached" && isKept && anchorState === "moved";
  return toRenewed(sequence, before, { anchor: after, anchorState: isStillMoved ? "moved" : state, anchorText });
}

/** Finds the passage of an anchor. A similar one, which the positions hold, gives way to the quoted one. */
function resolve(shared: SharedText, { anchor, anchorState }: AnchorFields, effort: SearchEffort): ResolvedAnchor {
  const { quote } = anchor;
  const resolved = resolveAnchor(shared, anchor, effort);
  if (anchorState !== "moved" || resolved.state === "detached" || resolved.text === quote.exact) return resolved;
  const same = findSame(shared.text, quote, resolved.start, effort);
  return same ? { state: "attached", text: quote.exact, start: same.start, end: same.end, isKept: false } : resolved;
}

/** Returns an anchor that changes, or none. */
function toRenewed(sequence: number, before: AnchorFields, after: AnchorFields): RenewedAnchor[] {
  return areEqual(before, after) ? [] : [{ sequence, before, after }];
}

/** Reads stored fields; the cast holds because only validated anchors are stored. */
function readFields(fields: string): AnchorFields {
  return JSON.parse(fields) as AnchorFields;
}
