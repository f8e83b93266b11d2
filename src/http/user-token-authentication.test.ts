import { SignJWT } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WORKSPACE } from "../../test/workspace.ts";
import { LIMITS } from "../config/limits.ts";
import { UserTokenKeys } from "../config/user-token-keys.ts";
import { LookupCaches } from "./lookup-cache.ts";
import { UserTokenAuthentication } from "./user-token-authentication.ts";
import { WrongCredentials } from "./wrong-credentials.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const START = new Date("2026-01-01T00:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns an authentication, and the number of its lookups in the database so far. */
function authentication(secretKeys: readonly [Buffer, ...Buffer[]], revocation?: number) {
  const caches = new LookupCaches();
  caches.setEnabled(true);
  const lookups = { count: 0 };
  const userTokens = new UserTokenAuthentication({
    keys: new UserTokenKeys(secretKeys),
    async findCaller() {
      lookups.count++;
      return {
        workspace: WORKSPACE,
        revocation: revocation === undefined ? undefined : { number: revocation, revokedAt: 0 },
      };
    },
    verifyIssuerToken: () => Promise.reject(new Error("no token of another issuer is sent")),
    caches,
    wrongCredentials: new WrongCredentials(LIMITS.wrongCredentials),
  });
  const authenticate = (token: string) =>
    userTokens.authenticate({ token, apiKey: undefined, clientAddress: "127.0.0.1" });
  return { authenticate, caches, lookups };
}

function sign(secretKey: Buffer, claims: object = {}): Promise<string> {
  const { id, key } = new UserTokenKeys([secretKey]).current("key");
  const seconds = START.getTime() / 1000;
  const payload = { sub: "ada", aud: "key", isAdmin: false, resources: [], iat: seconds, exp: seconds + 60, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: id }).sign(key);
}

test("a token is looked up once until something changes, and rejected once it expires", async () => {
  const { authenticate, caches, lookups } = authentication([NEW]);
  const token = await sign(NEW);
  for (const _ of [1, 2, 3]) expect((await authenticate(token)).user.userId).toBe("ada");
  expect(lookups.count).toBe(1);
  caches.clear();
  await authenticate(token);
  expect(lookups.count).toBe(2);
  vi.setSystemTime(START.getTime() + 59_999);
  await authenticate(token);
  vi.setSystemTime(START.getTime() + 60_000);
  await expect(authenticate(token)).rejects.toMatchObject({ reason: "user_token_expired" });
});

test("a token with a wrong signature is rejected without a lookup", async () => {
  const { authenticate, lookups } = authentication([NEW]);
  await expect(authenticate(await sign(OLD))).rejects.toMatchObject({ reason: "user_token_invalid" });
  expect(lookups.count).toBe(0);
});

test("a token of an earlier SECRET_KEY is valid for as long as SECRET_KEY_OLD contains that key", async () => {
  const token = await sign(OLD);
  expect((await authentication([NEW, OLD]).authenticate(token)).user.userId).toBe("ada");
  await expect(authentication([NEW]).authenticate(token)).rejects.toMatchObject({ reason: "user_token_invalid" });
});

test("a revocation rejects tokens with smaller numbers, and those without a number", async () => {
  const { authenticate } = authentication([NEW], 7);
  const rejected = [await sign(NEW), await sign(NEW, { num: 6 })];
  for (const token of rejected)
    await expect(authenticate(token)).rejects.toMatchObject({ reason: "user_token_revoked" });
  const later = await sign(NEW, { num: 8 });
  expect((await authenticate(later)).user.userId).toBe("ada");
});

test("expired and revoked tokens do not count as wrong credentials of their address", async () => {
  const { authenticate } = authentication([NEW], 7);
  for (let index = 0; index <= LIMITS.wrongCredentials.burst; index++) {
    const [revoked, expired] = await Promise.all([sign(NEW, { index }), sign(NEW, { index, exp: 1 })]);
    await expect(authenticate(revoked)).rejects.toMatchObject({ reason: "user_token_revoked" });
    await expect(authenticate(expired)).rejects.toMatchObject({ reason: "user_token_expired" });
  }
});
