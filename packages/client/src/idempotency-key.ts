/** Returns whether an operation changes data, so that a repeated request needs the idempotency key of the first. */
export function takesIdempotencyKey(path: string): boolean {
  return !/\/(get|list|compare|explain|status|version|presence\/broadcast)$/.test(path);
}

/** Returns a random idempotency key. `randomUUID` would need a page that is served over TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
