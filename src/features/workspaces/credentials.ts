import { hash, randomBytes } from "node:crypto";

const API_KEY_BYTES = 16;
/** Number of random bytes in an auth token. It cannot be guessed, so a plain hash protects it at rest. */
const AUTH_TOKEN_BYTES = 32;

/** Generates a public API key. It names a workspace and alone grants nothing. */
export function generateApiKey(): string {
  return `colloquy_key_${randomBytes(API_KEY_BYTES).toString("hex")}`;
}

export function generateAuthToken(): string {
  return `colloquy_token_${randomBytes(AUTH_TOKEN_BYTES).toString("hex")}`;
}

/** Number of characters of a token that are shown, and the length from which so few reveal nothing. */
const SHOWN_CHARACTERS = 4;
const LONG_ENOUGH = 32;

/** Returns the last characters of a token, by which its holder recognizes it, or undefined if it is too short. */
export function getLastCharacters(authToken: string): string | undefined {
  return authToken.length < LONG_ENOUGH ? undefined : authToken.slice(-SHOWN_CHARACTERS);
}

/** Returns the SHA-256 of a key or token, by which the database stores and finds it. */
export function hashCredential(credential: string): Buffer {
  return hash("sha256", credential, "buffer");
}
