import { getEventListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { delay, untilVisible } from "./waiting.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Replaces the document of the browser. */
function stubDocument(visibilityState: DocumentVisibilityState): EventTarget & { visibilityState: string } {
  const stub = Object.assign(new EventTarget(), { visibilityState });
  vi.stubGlobal("document", stub);
  return stub;
}

test("waits that end leave no listener behind", async () => {
  const { signal } = new AbortController();
  const page = stubDocument("visible");
  await delay(1, signal);
  await untilVisible(signal);
  page.visibilityState = "hidden";
  const waiting = untilVisible(signal);
  page.dispatchEvent(new Event("visibilitychange"));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await waiting;
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(getEventListeners(page, "visibilitychange")).toEqual([]);
});

test("waits end when the signal aborts, and at once after that", async () => {
  const stopping = new AbortController();
  stubDocument("hidden");
  const waits = [delay(60_000, stopping.signal), untilVisible(stopping.signal)];
  stopping.abort();
  await Promise.all([...waits, delay(60_000, stopping.signal), untilVisible(stopping.signal)]);
});
