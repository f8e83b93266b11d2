import { expect, test } from "vitest";
import { getInitials } from "../../packages/react/src/initials.ts";

test.each([
  ["ada lovelace", "AL"],
  ["Grace Brewster Hopper", "GH"],
  ["  ada ", "A"],
  ['"Ada" (Lovelace)', "AL"],
  ["👩‍🚀 Ada", "A"],
  [" 👩‍🚀 ", "👩‍🚀"],
  ["e\u0301mile", "E\u0301"],
  ["", ""],
])("the initials of %j are %j", (name, initials) => {
  expect(getInitials(name)).toBe(initials);
});
