import type { Anchor } from "./anchor.ts";

/** The range of an anchor in an editor. */
export interface ResolvedAnchor<Range> {
  range: Range;
  /** `moved` if the text was found at another place than the one that the anchor names. */
  state: "attached" | "moved";
  /** Anchor to store instead, if only this editor knows where the text of the stored one is. */
  replacement?: Anchor | undefined;
}

/** Text that the editor highlights. */
export interface Highlight<Range> {
  /** ID of the annotation. Undefined for the text of a comment that the user is writing. */
  annotationId: string | undefined;
  range: Range;
  isActive: boolean;
  /** ID of the element that shows the thread, if the page has one. */
  cardId?: string | undefined;
}

/**
 * What the model needs of an editor, which one file for each editor implements. `Range` is whatever the editor calls a
 * range, such as two offsets. The model calls no method while the editor is handling an update.
 */
export interface EditorAdapter<Range> {
  /** Returns where the text of an anchor is now. Undefined if the editor does not show it. */
  resolve(anchor: Anchor): ResolvedAnchor<Range> | undefined;
  /** Returns whether the editor has not loaded the text of an anchor yet. By default, it has all of its text. */
  isPending?(anchor: Anchor): boolean;
  /** Returns an anchor of the text that the user has selected. Undefined if no text is selected. */
  createAnchor(): Anchor | undefined;
  /** Compares two ranges by reading order, as a function of `Array.sort`. */
  compare(a: Range, b: Range): number;
  /** Shows highlights instead of those before, as decorations, which are neither content nor undone. */
  highlight(highlights: readonly Highlight<Range>[]): void;
  /** Returns where a range is in the window. Undefined if the editor has not drawn it. */
  getRect(range: Range): { top: number; bottom: number; left: number; right: number } | undefined;
  /** Scrolls until a range is visible, and puts the cursor there if the editor has the focus. */
  reveal(range: Range): void;
  /** Calls a function after each change of the content, but not of the highlights. Returns what ends the calls. */
  subscribe(onChange: () => void): () => void;
}
