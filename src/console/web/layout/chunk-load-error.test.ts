import { expect, test } from "vitest";
import { claimReload, isChunkLoadError } from "./chunk-load-error.ts";

test.each([
  "Failed to fetch dynamically imported module: https://a.example/console/assets/x.js",
  "error loading dynamically imported module: https://a.example/console/assets/x.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /console/assets/x.css",
])("the message %j means that a script could not be loaded", (message) => {
  expect(isChunkLoadError(new TypeError(message))).toBe(true);
});

test("an error thrown by a page does not mean that a script could not be loaded", () => {
  expect(isChunkLoadError(new TypeError("Cannot read properties of undefined"))).toBe(false);
});

test("a page reloads itself at most once a minute", () => {
  const stored = new Map<string, string>();
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: stored.set.bind(stored) };
  const start = Date.UTC(2026, 10, 21);
  expect([0, 1_000, 59_999, 60_000].map((later) => claimReload(storage, start + later))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
