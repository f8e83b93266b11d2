const KEY = "colloquy-return-to";

/** Keeps where sign-in was asked for, for a link that names no address; in this tab alone. */
export function saveReturnPath(pathAndQuery: string): void {
  sessionStorage.setItem(KEY, pathAndQuery);
}

/** Where sign-in was asked for, from the console's own path on. */
export function takeReturnPath(consolePath: string): string | undefined {
  const kept = sessionStorage.getItem(KEY);
  clearReturnPath();
  return kept?.startsWith(`${consolePath}/`) ? kept.slice(consolePath.length) : undefined;
}

export function clearReturnPath(): void {
  sessionStorage.removeItem(KEY);
}
