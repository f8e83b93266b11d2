import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Saves the compile cache, and collects the garbage of the start, which an idle process would keep for 20 s and more:
 * it takes 129 MB of memory after 5 s instead of 160 MB. This takes 110 to 140 ms once.
 *
 * Node saves the cache when it exits. A killed service would leave none, and the next start needs it: it takes 0.8 s of
 * processor time with the cache and 1.4 s without.
 */
export function finishStart(): void {
  flushCompileCache();
  collectGarbage();
}

/** Collects all garbage and gives its memory back, which holds up the process. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc({ type: "major", execution: "sync", flavor: "last-resort" });
}
