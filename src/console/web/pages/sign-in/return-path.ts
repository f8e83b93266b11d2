const KEY = "colloquy-return-to";

/** Saves the URL to return to after signing in with a link that has no target. It is kept in this tab only. */
export function saveReturnPath(pathAndQuery: string): void {
  sessionStorage.setItem(KEY, pathAndQuery);
}

/** Returns and clears the saved path, relative to the console's path. */
export function takeReturnPath(consolePath: string): string | undefined {
  const saved = sessionStorage.getItem(KEY);
  clearReturnPath();
  return saved?.startsWith(`${consolePath}/`) ? saved.slice(consolePath.length) : undefined;
}

export function clearReturnPath(): void {
  sessionStorage.removeItem(KEY);
}
