/** A card beside the text, such as a thread. */
export interface Card {
  /** Preferred begin of the card: the height of its text, in pixels from the top of the column. */
  top: number;
  height: number;
}

/**
 * Returns where each card begins so that no two overlap. Cards are in reading order. The active card begins at the
 * height of its text if the cards before it leave room, and the others make way for it. No card begins above 0.
 */
export function layoutCards(cards: readonly Card[], options: { gap?: number; activeIndex?: number } = {}): number[] {
  const { gap = 8, activeIndex = -1 } = options;
  const tops: number[] = [];
  let roomAbove = 0;
  let end = 0;
  for (const [index, { top, height }] of cards.entries()) {
    // Cards before the active one make way upwards, so it needs only the room that they fill.
    const begin = Math.max(top, index === activeIndex ? roomAbove : end);
    tops.push(begin);
    end = begin + height + gap;
    roomAbove += height + gap;
  }
  for (let index = activeIndex - 1; index >= 0; index -= 1) {
    const below = tops[index + 1] ?? 0;
    tops[index] = Math.min(tops[index] ?? 0, below - gap - (cards[index]?.height ?? 0));
  }
  return tops;
}
