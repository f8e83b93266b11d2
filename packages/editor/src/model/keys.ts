import type { AnchoredThreads } from "./anchored-threads.ts";

/**
 * Does what a key means for comments, and returns whether it means something: Ctrl Alt M (on a Mac ⌘ ⌥ M) begins a
 * comment, Alt F9 opens the next thread, and Shift Alt F9 the previous one.
 */
export function handleKey(
  threads: Pick<AnchoredThreads, "startComment" | "openNext" | "openPrevious">,
  event: KeyboardEvent,
): boolean {
  if (isCommentKey(event)) return threads.startComment();
  if (event.code !== "F9" || !isAlt(event) || event.ctrlKey || event.metaKey) return false;
  return event.shiftKey ? threads.openPrevious() : threads.openNext();
}

/** Returns whether the keys are Ctrl Alt M, on a Mac ⌘ ⌥ M. */
export function isCommentKey(event: KeyboardEvent): boolean {
  return event.code === "KeyM" && isAlt(event) && (event.ctrlKey || event.metaKey);
}

function isAlt(event: KeyboardEvent): boolean {
  // The right Alt key of many layouts counts as Ctrl Alt, and types a character.
  return event.altKey && !event.isComposing && !event.getModifierState("AltGraph");
}
