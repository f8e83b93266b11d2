import { useMemo, useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;
const viewers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Reports each minute to a viewer, until the returned function is called. All viewers share one timer. */
function watch(viewer: () => void): () => void {
  viewers.add(viewer);
  timer ??= setInterval(() => {
    for (const each of viewers) each();
  }, MINUTE_MS);
  return () => {
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the present time, which is updated each minute. */
export function useNow(): Date {
  const minute = useSyncExternalStore(watch, getMinute, getMinute);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each minute has a time of its own.
  return useMemo(() => new Date(), [minute]);
}

function getMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}
