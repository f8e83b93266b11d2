import { expect, test } from "vitest";
import { AVATAR_COLORS, avatarColor, initials } from "./avatar.ts";

test.each([
  ["Ada Lovelace", "AL"],
  ["Ada King Lovelace", "AL"],
  ["grace.hopper@example.com", "GH"],
  ["ada@example.com", "A"],
  ["acme", "A"],
  ["team engine", "TE"],
  ["user-7", "U7"],
  ["Žofie 山田", "Ž山"],
  ["𝒜da", "𝒜"],
  ['"Ada" Lovelace', "AL"],
  ["(ada)", "A"],
  ["👩‍👩‍👧‍👦 family", "F"],
  ["e\u0301mile", "\u00C9"],
  ["हिन्दी", "ह"],
  ["👩‍🚀", "👩‍🚀"],
  ["🙂@example.com", "🙂"],
  ["@", "@"],
  ["\u202E", ""],
  ["", ""],
])("the initials of %s are %s", (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test("white text has enough contrast on every color", () => {
  const contrasts = AVATAR_COLORS.map((color) => 1.05 / (luminance(color) + 0.05));
  expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
});

test("the color follows from the ID, and many IDs use all colors", () => {
  const ids = Array.from({ length: 100 }, (_, index) => `user-${index}`);
  expect(ids.map(avatarColor)).toEqual(ids.map(avatarColor));
  expect(new Set(ids.map(avatarColor))).toEqual(new Set(AVATAR_COLORS));
});

/** Returns the relative luminance that WCAG defines. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const part = Number.parseInt(color.slice(index, index + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
