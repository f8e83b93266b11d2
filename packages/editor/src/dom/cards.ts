import { isCommentKey } from "../model/keys.ts";

/** Attribute of a card with the ID of its thread, empty for the comment that the user is writing. */
export const ATTRIBUTE = "data-annotation-id";
const FOCUSABLE = "[tabindex], a[href], button, input, textarea, [contenteditable=true]";

export function isCard(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.hasAttribute(ATTRIBUTE);
}

/**
 * Lets users of the keyboard go from a text to the card of its open thread, by the key that begins a comment on a
 * selection, and back by Escape. When a card that has the focus is removed, the next one gets it or the one before, and
 * after a comment was sent or canceled what had it before. Returns what ends it.
 */
export function keepFocus(column: HTMLElement, getActiveId: () => string | undefined): () => void {
  const { ownerDocument } = column;
  const controller = new AbortController();
  /** What had the focus before the column, such as an editor. */
  let opener: HTMLElement | undefined;
  /** Card that has the focus, and the cards around it. */
  let focused: { card: HTMLElement; neighbors: (HTMLElement | undefined)[] } | undefined;

  function remember(): void {
    const cards = [...column.children].filter(isCard);
    const index = cards.findIndex((card) => card.contains(ownerDocument.activeElement));
    const card = cards[index];
    focused = card && { card, neighbors: [cards[index + 1], cards[index - 1]] };
  }

  function handleFocus({ relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof HTMLElement && !column.contains(relatedTarget)) opener = relatedTarget;
    remember();
  }

  function handleBlur(): void {
    // An element that is removed loses the focus before it is gone.
    queueMicrotask(() => focused?.card.isConnected && remember());
  }

  function handleRemoval(): void {
    const { card, neighbors } = focused ?? {};
    remember();
    if (!card || !neighbors || card.isConnected) return;
    if (ownerDocument.activeElement !== ownerDocument.body) return;
    const neighbor = card.getAttribute(ATTRIBUTE) === "" ? undefined : neighbors.find((each) => each?.isConnected);
    if (neighbor) focusCard(neighbor);
    else opener?.focus({ preventScroll: true });
  }

  function handleKey(event: KeyboardEvent): void {
    const { target, key, defaultPrevented } = event;
    if (defaultPrevented || !(target instanceof Element)) return;
    const isInside = column.contains(target) && !target.closest("dialog");
    const card = [...column.children].find((each) => isCard(each) && each.getAttribute(ATTRIBUTE) === getActiveId());
    if (isInside && key === "Escape") opener?.focus({ preventScroll: true });
    else if (!column.contains(target) && isCommentKey(event) && card instanceof HTMLElement) focusCard(card);
    else return;
    event.preventDefault();
  }

  const { signal } = controller;
  column.addEventListener("focusin", handleFocus, { signal });
  column.addEventListener("focusout", handleBlur, { signal });
  // Fields and editors handle the keys that they need first.
  ownerDocument.defaultView?.addEventListener("keydown", handleKey, { signal });
  const removals = new MutationObserver(handleRemoval);
  removals.observe(column, { childList: true });
  return () => {
    controller.abort();
    removals.disconnect();
  };
}

function focusCard(card: HTMLElement): void {
  (card.querySelector<HTMLElement>(FOCUSABLE) ?? card).focus();
}
