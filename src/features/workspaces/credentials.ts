import { hash, randomBytes } from "node:crypto";

const API_KEY_BYTES = 16;
/** 256 bits: a token cannot be guessed, so a plain hash keeps it safe at rest. */
const AUTH_TOKEN_BYTES = 32;

/** Public: it names a workspace and opens nothing by itself. */
export function generateApiKey(): string {
  return `colloquy_key_${randomBytes(API_KEY_BYTES).toString("hex")}`;
}

export function generateAuthToken(): string {
  return `colloquy_token_${randomBytes(AUTH_TOKEN_BYTES).toString("hex")}`;
}

/** What the database keeps and finds a key or token by: its SHA-256. */
export function hashCredential(credential: string): Buffer {
  return hash("sha256", credential, "buffer");
}
