const MESSAGES =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|is not a valid JavaScript MIME/i;
const KEY = "colloquy-reloaded-at";
/** A reload that has not helped is not done again at once. */
const PAUSE_MS = 60_000;

/** Whether the script of a page could not be read, in the words of the browsers. */
export function isChunkLoadError(error: Error): boolean {
  return MESSAGES.test(error.message);
}

/** Whether the page may load itself anew; true at most once a minute, however often it is loaded. */
export function claimReload(storage: Pick<Storage, "getItem" | "setItem">, now: number): boolean {
  const last = Number(storage.getItem(KEY));
  if (last > 0 && now >= last && now - last < PAUSE_MS) return false;
  storage.setItem(KEY, String(now));
  return true;
}
