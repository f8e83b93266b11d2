import { hash } from "node:crypto";

/** Returns the first 16 bytes of SHA-256 over the user id, as 32 hexadecimal digits. */
export function userKey(userId: string): string {
  return hash("sha256", userId, "hex").slice(0, 32);
}
