import { hash, randomBytes } from "node:crypto";
import type { Queryable } from "../../database/statement.ts";
import { insertLink } from "./sign-in-queries.ts";

export const LINK_LIFETIME_MS = 15 * 60 * 1000;

/** Number of random bytes in a token. It cannot be guessed, so a plain hash protects it at rest. */
const TOKEN_BYTES = 32;

/** Generates a token of 43 characters that a URL and a cookie can hold. */
export function generateToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Returns the SHA-256 of a token, by which the database stores and finds it. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Returns the sign-in URL. The token follows `#`, which no browser sends. `baseUrl` has no trailing slash. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/console/sign-in#${token}`;
}

/**
 * Makes a link for the operator, who reaches every workspace; it opens the named workspace, if any. The link is shown
 * only here. `expiresAt` is in milliseconds since the epoch.
 */
export async function createOperatorLink(
  database: Queryable,
  baseUrl: string,
  workspaceId?: string,
): Promise<{ url: string; expiresAt: number }> {
  const token = generateToken();
  const expiresAt = Date.now() + LINK_LIFETIME_MS;
  const continueUrl = workspaceId === undefined ? null : `${baseUrl}/console/${workspaceId}`;
  await insertLink(database, { tokenHash: hashToken(token), ownerAddress: null, continueUrl, expiresAt });
  return { url: signInUrl(baseUrl, token), expiresAt };
}
