import { expect, test } from "vitest";
import { claimReload, isChunkLoadError } from "./chunk-load-error.ts";

test.each([
  "Failed to fetch dynamically imported module: https://a.example/console/assets/x.js",
  "error loading dynamically imported module: https://a.example/console/assets/x.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /console/assets/x.css",
])("%s is a page whose script could not be read", (message) => {
  expect(isChunkLoadError(new TypeError(message))).toBe(true);
});

test("a fault of a page is none", () => {
  expect(isChunkLoadError(new TypeError("Cannot read properties of undefined"))).toBe(false);
});

test("a reload that has not helped is not repeated at once", () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  const start = Date.UTC(2026, 10, 21);
  expect([0, 1_000, 59_999, 60_000].map((later) => claimReload(storage, start + later))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
