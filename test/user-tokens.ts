import { type JWTPayload, SignJWT } from "jose";
import { UserTokenKeys } from "../src/config/user-token-keys.ts";
import type { Api } from "../src/operations.ts";
import { post, type TestWorkspace } from "./harness.ts";

const GENERATE = "/v2/auth/generate_token";
type Resources = Api[typeof GENERATE]["request"]["permissions"]["resources"];

/** Grant of the role `editor` for an organization. */
export function getEditor(organizationId: string): Resources[number] {
  return { type: "organization", id: organizationId };
}

/** Generates a token for a user, by default of an editor of the organization `acme`. */
export async function tokenFor(
  workspace: TestWorkspace,
  userId: string,
  { resources = [getEditor("acme")], expiresInSeconds }: { resources?: Resources; expiresInSeconds?: number } = {},
): Promise<string> {
  const userProperties = { name: `The user ${userId}`, email: `${userId}@example.com` };
  const request = { userId, userProperties, permissions: { resources }, expiresInSeconds };
  return (await workspace.data(GENERATE, request)).token;
}

/** Calls an operation with a user token alone. */
export function callWith(token: string, url: string, data: unknown, headers: Record<string, string> = {}) {
  return post(url, data, { authorization: `Bearer ${token}`, ...headers });
}

/** The keys of test services, whose SECRET_KEY is known. */
export const TEST_KEYS = new UserTokenKeys([Buffer.from("5".repeat(64), "hex")]);

/** Returns the claims of a token for an editor of the organization `acme`, valid for a minute. */
export function claimsFor({ apiKey }: TestWorkspace, userId = "ada") {
  const resources = [{ type: "organization", id: "acme", organizationId: "acme", accessRole: "editor" }];
  const now = Math.floor(Date.now() / 1000);
  return { sub: userId, aud: apiKey, isAdmin: false, resources, iat: now, exp: now + 60 };
}

/** Signs claims as a test service would, for tokens that it would not generate. */
export function signClaims(apiKey: string, claims: JWTPayload, keys = TEST_KEYS): Promise<string> {
  const { id, key } = keys.current(apiKey);
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT", kid: id }).sign(key);
}
