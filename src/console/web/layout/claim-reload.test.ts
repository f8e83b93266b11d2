import { expect, test } from "vitest";
import { claimReload } from "./claim-reload.ts";

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
