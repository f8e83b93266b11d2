import type { AnchoredThreads } from "../model/anchored-threads.ts";
import { layoutCards } from "../model/card-layout.ts";
import { ATTRIBUTE, isCard, keepFocus } from "./cards.ts";
import { watchLayout } from "./layout-changes.ts";

/**
 * Keeps cards at the height of their texts without overlap: the children of a column with the attribute
 * `data-annotation-id`, empty for the comment that the user is writing. Cards whose text is not in the editor follow
 * the others. Texts refer to their cards for screen readers. A click on a card, or the focus in it, opens its thread.
 * A card that is removed hands the focus over (`keepFocus`). The column needs `position: relative`. Returns what ends
 * it.
 */
export function placeCards(
  column: HTMLElement,
  threads: Pick<AnchoredThreads, "getState" | "getRect" | "subscribe" | "open" | "setCards">,
): () => void {
  const sizes = new ResizeObserver(() => place());
  let observed: readonly HTMLElement[] = [];
  let isPressed = false;

  function place(): void {
    const { threads: shown, activeId, draft } = threads.getState();
    const order = ["", ...shown.map(({ thread }) => thread.annotationId)];
    const cards = [...column.children].filter(isCard);
    // All sizes are read before any place is written, so that the browser computes the layout once.
    const origin = column.getBoundingClientRect().top + column.clientTop;
    const measured = cards.map((card) => {
      const id = card.getAttribute(ATTRIBUTE) ?? "";
      const top = threads.getRect(id || undefined)?.top;
      return { card, id, top: top === undefined ? Infinity : top - origin, height: card.offsetHeight };
    });
    measured.sort((a, b) => a.top - b.top || order.indexOf(a.id) - order.indexOf(b.id));
    const ends = measured.map(({ top, height }) => (top === Infinity ? 0 : top + height));
    const detachedTop = Math.max(0, ...ends);
    const wanted = measured.map(({ top, height }) => ({ top: top === Infinity ? detachedTop : top, height }));
    const activeIndex = measured.findIndex(({ id }) => id === (draft ? "" : activeId));
    const tops = layoutCards(wanted, { activeIndex });
    for (const [index, { card }] of measured.entries()) {
      Object.assign(card.style, { position: "absolute", insetInline: "0", top: `${tops[index]}px` });
    }
    const bottoms = measured.map(({ height }, index) => (tops[index] ?? 0) + height);
    column.style.minHeight = `${Math.max(0, ...bottoms)}px`;
    observe(measured.map(({ card }) => card));
  }

  /** Follows the sizes of cards, which change with their comments. */
  function observe(cards: readonly HTMLElement[]): void {
    const isSame = cards.length === observed.length && cards.every((card) => observed.includes(card));
    if (isSame) return;
    sizes.disconnect();
    for (const card of cards) sizes.observe(card);
    observed = cards;
    threads.setCards(new Map(cards.map((card) => [card.getAttribute(ATTRIBUTE) ?? "", nameCard(card)])));
  }

  function openThread({ type, target }: Event): void {
    // The cards make way for the open one, so a button that moved before its release would not be clicked.
    if (type === "focusin" && isPressed) return;
    const card = [...column.children].find((child) => target instanceof Node && child.contains(target));
    const annotationId = card?.getAttribute(ATTRIBUTE);
    if (annotationId && annotationId !== threads.getState().activeId) threads.open(annotationId);
  }

  const controller = new AbortController();
  for (const event of ["click", "focusin"]) column.addEventListener(event, openThread, controller);
  for (const event of ["pointerdown", "pointerup", "pointercancel"]) {
    window.addEventListener(
      event,
      ({ type }) => {
        isPressed = type === "pointerdown";
      },
      { signal: controller.signal, capture: true },
    );
  }
  const mutations = new MutationObserver(place);
  mutations.observe(column, { childList: true });
  const ends = [
    threads.subscribe(place),
    watchLayout(column.ownerDocument.documentElement, place, column),
    keepFocus(column, () => threads.getState().activeId),
  ];
  return () => {
    for (const end of ends) end();
    controller.abort();
    mutations.disconnect();
    sizes.disconnect();
    threads.setCards(new Map());
  };
}

/** Returns the ID of a card, to which the text of its thread refers. */
function nameCard(card: HTMLElement): string {
  card.id ||= `colloquy-card-${card.getAttribute(ATTRIBUTE)}`;
  return card.id;
}
