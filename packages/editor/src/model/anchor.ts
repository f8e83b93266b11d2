import type { CommentAnnotation } from "@colloquy/client";

export type { PointAnchor, Quote, QuoteAnchor, TextAnchor } from "@colloquy/client";

/** What a thread refers to: text of a collaborative document, or text or a point of an element of the page. */
export type Anchor = NonNullable<CommentAnnotation["anchor"]>;
