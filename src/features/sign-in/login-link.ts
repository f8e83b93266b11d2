import { hash, randomBytes } from "node:crypto";
import type { Queryable } from "../../database/statement.ts";
import { insertLink } from "./queries.ts";

export const LINK_LIFETIME_MS = 15 * 60 * 1000;

/** Nobody guesses these, so a plain hash keeps them safe at rest. */
const TOKEN_BYTES = 32;

/** 43 characters that an address and a cookie can hold. */
export function generateToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What the database keeps and finds a token by: its SHA-256. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Where the token stands behind `#`, which browsers send to no server. `baseUrl` has no slash at its end. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/console/sign-in#${token}`;
}

/**
 * Makes a link for who runs the service, who reaches every workspace; it lands on one where one is named. This is the
 * only time that the link is seen. `expiresAt` in milliseconds since the epoch.
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
