import type { CommentAnnotation } from "@colloquy/client";
import type { ReactElement } from "react";
import { useTexts } from "./texts.tsx";

/** Shows the text that a thread is about, and says if it is no longer in the document. */
export function Quote({ thread }: { thread: CommentAnnotation }): ReactElement | null {
  const texts = useTexts();
  const { anchor, anchorState, anchorText } = thread;
  const quote = anchor && "quote" in anchor ? anchor.quote?.exact : undefined;
  const isDetached = anchorState === "detached";
  const text = (isDetached ? undefined : anchorText) ?? quote;
  if (!text) return null;
  return (
    <figure className="colloquy-quote" data-detached={isDetached} aria-label={texts.quotedText}>
      <blockquote dir="auto">{text}</blockquote>
      {isDetached && <figcaption className="colloquy-note">{texts.quoteDetached}</figcaption>}
    </figure>
  );
}
