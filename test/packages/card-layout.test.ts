import * as fc from "fast-check";
import { expect, test } from "vitest";
import { layoutCards } from "../../packages/editor/src/model/card-layout.ts";

const length = fc.integer({ min: 0, max: 500 });
/** Cards in reading order, a gap, and the index of the active card, or of none. */
const columns = fc
  .record({
    cards: fc.array(fc.record({ top: length, height: length }), { maxLength: 12 }),
    gap: length,
    active: fc.nat(12),
  })
  .map(({ cards, gap, active }) => ({
    cards: cards.toSorted((a, b) => a.top - b.top),
    gap,
    active: active < cards.length ? active : -1,
  }));

function check(property: (column: { cards: { top: number; height: number }[]; gap: number; active: number }) => void) {
  fc.assert(fc.property(columns, property), { seed: 41, numRuns: 500 });
}

test("cards keep their order and the gap, and none begins above the column", () => {
  check(({ cards, gap, active }) => {
    const tops = layoutCards(cards, { gap, activeIndex: active });
    expect(tops).toHaveLength(cards.length);
    for (const [index, top] of tops.entries()) {
      const before = cards[index - 1];
      expect(top).toBeGreaterThanOrEqual(before ? (tops[index - 1] ?? 0) + before.height + gap : 0);
    }
  });
});

test("the active card begins at the height of its text, unless the cards before it need the room", () => {
  check(({ cards, gap, active }) => {
    const needed = cards.slice(0, Math.max(active, 0)).reduce((sum, { height }) => sum + height + gap, 0);
    const tops = layoutCards(cards, { gap, activeIndex: active });
    if (active >= 0) expect(tops[active]).toBe(Math.max(cards[active]?.top ?? 0, needed));
  });
});

test("cards that do not overlap stay at the height of their text", () => {
  check(({ cards, gap, active }) => {
    const spread: typeof cards = [];
    for (const { top, height } of cards) {
      const before = spread.at(-1);
      spread.push({ height, top: top + (before ? before.top + before.height + gap : 0) });
    }
    expect(layoutCards(spread, { gap, activeIndex: active })).toEqual(spread.map(({ top }) => top));
  });
});

test("a card moves only as far as its neighbors need", () => {
  check(({ cards, gap, active }) => {
    const tops = layoutCards(cards, { gap, activeIndex: active });
    for (const [index, { top, height }] of cards.entries()) {
      const begin = tops[index] ?? 0;
      const [before, after] = [cards[index - 1], tops[index + 1]];
      const touchesBefore = before !== undefined && begin === (tops[index - 1] ?? 0) + before.height + gap;
      const touchesAfter = begin + height + gap === after;
      if (begin > top) expect(touchesBefore).toBe(true);
      if (begin < top) expect(touchesAfter).toBe(true);
    }
  });
});
