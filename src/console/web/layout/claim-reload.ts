const KEY = "colloquy-reloaded-at";
const MIN_RELOAD_INTERVAL_MS = 60_000;

/** Returns whether the page may reload itself: true at most once a minute, to avoid a reload loop. */
export function claimReload(storage: Pick<Storage, "getItem" | "setItem">, now: number): boolean {
  const last = Number(storage.getItem(KEY));
  if (last > 0 && now >= last && now - last < MIN_RELOAD_INTERVAL_MS) return false;
  storage.setItem(KEY, String(now));
  return true;
}
