import Type, { type Static } from "typebox";
import { decodePosition, MAX_POSITION_LENGTH, MAX_QUOTE_LENGTH } from "../../../anchors/anchors.ts";
import { Identifier } from "../../../contract/schema.ts";

/** Maximum number of UTF-16 units before and after a passage. `packages/editor` sends 32. */
const MAX_CONTEXT_LENGTH = 64;

const isWellFormed = (text: string) => text.isWellFormed();

function QuotedText(maxLength: number, description: string) {
  return Type.Refine(Type.String({ maxLength, description }), isWellFormed, () => "must have no lone surrogates");
}

const Quote = Type.Object(
  {
    exact: QuotedText(
      MAX_QUOTE_LENGTH,
      "The passage; empty for a place between characters. Of a longer one, its first 1,000 UTF-16 units, `…`, and " +
        "its last 999.",
    ),
    prefix: Type.Optional(QuotedText(MAX_CONTEXT_LENGTH, "Text before it, by which repeated passages are told apart.")),
    suffix: Type.Optional(QuotedText(MAX_CONTEXT_LENGTH, "Text after it.")),
  },
  {
    title: "Quote",
    additionalProperties: false,
    description: "A passage, as TextQuoteSelector of the W3C Web Annotation Data Model.",
  },
);

const Position = Type.Refine(
  Type.String({ maxLength: MAX_POSITION_LENGTH, description: "Base64 of `Y.encodeRelativePosition`." }),
  (encoded) => decodePosition(encoded) !== undefined,
  () => "must be the Base64 of Y.encodeRelativePosition",
);

const Selector = Type.Refine(
  Type.String({ minLength: 1, maxLength: 2_000, description: "CSS selector of the element in the page." }),
  isWellFormed,
  () => "must have no lone surrogates",
);

const Part = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const TextAnchor = Type.Object(
  { editorId: Identifier, start: Position, end: Position, quote: Quote },
  { title: "TextAnchor", additionalProperties: false, description: "A passage of a collaborative document." },
);
const QuoteAnchor = Type.Object(
  {
    selector: Selector,
    quote: Type.Refine(
      Quote,
      ({ exact }) => exact !== "",
      () => "must have an exact passage",
    ),
  },
  {
    title: "QuoteAnchor",
    additionalProperties: false,
    description: "A passage of a page without a collaborative document.",
  },
);
const PointAnchor = Type.Object(
  { selector: Selector, x: Part("Part of the width of the element."), y: Part("Part of its height.") },
  { title: "PointAnchor", additionalProperties: false, description: "A point on an element, such as an image." },
);

/** Place that an annotation refers to. */
export const Anchor = Type.Union([TextAnchor, QuoteAnchor, PointAnchor, Type.Null()], {
  description: "Passage or point that the annotation refers to. `null` for none.",
});
export type Anchor = Static<typeof Anchor>;

export const EXAMPLE_ANCHOR = {
  editorId: "clause-3",
  start: "ALW0++0KFgA=",
  end: "ALW0++0KIEE=",
  quote: { exact: "thirty days", prefix: "Payment is due within ", suffix: " of the invoice." },
};

/** What the service knows of an anchor in a collaborative document. */
export const anchorFields = {
  anchorState: Type.Optional(
    Type.Enum(["attached", "moved", "detached"], {
      description:
        "Whether the passage of the `anchor` is there: `attached`; `moved`, if only a similar one was found or one " +
        "in other surroundings; `detached`, if it is gone.",
    }),
  ),
  anchorText: Type.Optional(
    Type.String({ description: "The passage as it is now; empty if it is detached. Shortened as `quote.exact` is." }),
  ),
};

/** Returns the fields that the service adds to an annotation with this anchor, as it is sent. */
export function getAnchorFields(anchor: Anchor | undefined) {
  return getEditorId(anchor) !== null && anchor && "quote" in anchor
    ? { anchorState: "attached" as const, anchorText: anchor.quote.exact }
    : {};
}

/** Returns the ID of the collaborative document that an anchor refers to, if any. */
export function getEditorId(anchor: Anchor | undefined): string | null {
  return anchor && "editorId" in anchor ? anchor.editorId : null;
}
