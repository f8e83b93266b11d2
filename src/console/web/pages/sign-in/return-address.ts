const KEY = "colloquy-return-to";

/** Keeps where sign-in was asked for, for a link that names no address; in this tab alone. */
export function keepReturn(pathAndQuery: string): void {
  sessionStorage.setItem(KEY, pathAndQuery);
}

/** Where sign-in was asked for, from the console's own path on. */
export function takeReturn(consolePath: string): string | undefined {
  const kept = sessionStorage.getItem(KEY);
  forgetReturn();
  return kept?.startsWith(`${consolePath}/`) ? kept.slice(consolePath.length) : undefined;
}

export function forgetReturn(): void {
  sessionStorage.removeItem(KEY);
}
