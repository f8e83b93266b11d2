/** What reports events of a page. */
export interface PageEvents {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** A channel to the other tabs of the origin. */
export interface TabChannel {
  onmessage: ((message: { data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** What a page has, and workers and Node lack. */
export interface TabPage extends PageEvents {
  document: PageEvents;
  location: { href: string };
  origin: string;
  BroadcastChannel: new (name: string) => TabChannel;
}

/**
 * Returns this page, if its tabs can find each other. Returns undefined in workers and Node, in a page of an opaque
 * origin, and in one that was loaded without TLS, which has no Web Locks.
 */
export function findPage(): TabPage | undefined {
  const hasAll = "document" in globalThis && "BroadcastChannel" in globalThis && navigator.locks !== undefined;
  const page = asPage(globalThis);
  return hasAll && page.origin !== "null" ? page : undefined;
}

/** Returns what reports that this page is hidden and shown; undefined in Node. */
export function findPageEvents(): PageEvents | undefined {
  return "document" in globalThis ? asPage(globalThis) : undefined;
}

/** Casts the global object, whose types in Node lack what only pages have. */
function asPage(global: unknown): TabPage {
  return global as TabPage;
}
