import type { CommentAnnotation } from "@colloquy/client";

/** Text, and what is around it, by which it is found again. */
export interface Quote {
  exact: string;
  prefix: string;
  suffix: string;
}

/** Text of a collaborative document. `start` and `end` are Base64 of relative positions of Yjs. */
export interface TextAnchor {
  editorId: string;
  start: string;
  end: string;
  quote: Quote;
}

/** Text of an element that a CSS selector finds. */
export interface ElementAnchor {
  selector: string;
  quote: Quote;
}

/** Point of an element, in parts of its size from 0 to 1. */
export interface PointAnchor {
  selector: string;
  x: number;
  y: number;
}

export type Anchor = TextAnchor | ElementAnchor | PointAnchor;

/** A thread that may have an anchor. */
export type AnchoredAnnotation = CommentAnnotation & { anchor?: Anchor };
