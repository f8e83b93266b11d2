import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Saves the compile cache, and collects the garbage of the start, which an idle process would keep: it takes 133 MB of
 * memory instead of 168 MB (measured after 22 s). This takes 50 to 90 ms once.
 *
 * Node saves the cache when it exits. A killed service would leave none, and the next start needs it: it takes 0.8 s of
 * processor time with the cache and 1.4 s without.
 */
export function finishStart(): void {
  flushCompileCache();
  collectGarbage();
}

/** Collects all garbage, which holds up the process. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
}
