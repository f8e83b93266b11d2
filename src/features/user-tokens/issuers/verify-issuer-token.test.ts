import { createHmac, createPublicKey } from "node:crypto";
import type { JSONWebKeySet } from "jose";
import { describe, expect, test } from "vitest";
import { silentLog } from "../../../../test/harness.ts";
import { type Claims, generateIssuerKey, issuerClaims } from "../../../../test/token-issuer.ts";
import {
  mergeTokenIssuerConfig,
  readTokenIssuerConfig,
  type TokenIssuerConfigUpdate,
} from "../token-issuer-config/token-issuer-config.ts";
import { KeySets } from "./key-sets.ts";
import { verifyIssuerToken } from "./verify-issuer-token.ts";

const ISSUER = "https://issuer.example/";
const [rsa, elliptic, edwards, attacker] = await Promise.all([
  generateIssuerKey("rsa", "RS256"),
  generateIssuerKey("elliptic", "ES256"),
  generateIssuerKey("edwards", "EdDSA"),
  generateIssuerKey("rsa", "RS256"),
]);
const KEYS: JSONWebKeySet = { keys: [rsa.jwk, elliptic.jwk, edwards.jwk] };

/** Verifies a token for a workspace with the configuration. */
function verify(token: string, changes: TokenIssuerConfigUpdate = {}, keys: JSONWebKeySet = KEYS) {
  const keySets = new KeySets({ fetch: async () => keys, log: silentLog });
  const config = mergeTokenIssuerConfig(readTokenIssuerConfig(null), {
    ...{ isEnabled: true, issuer: ISSUER, jwksUrl: "https://issuer.example/keys", audience: "colloquy" },
    ...changes,
  });
  return verifyIssuerToken(keySets, { workspaceId: "one", config }, token);
}

const sign = (claims: Claims = {}, header = {}) => rsa.sign(issuerClaims(ISSUER, claims), header);
const seconds = () => Math.floor(Date.now() / 1000);

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Signs claims with a secret, as the service signs its own tokens. */
function signSecret(header: object, secret: string | Buffer): string {
  const signed = `${encode(header)}.${encode(issuerClaims(ISSUER))}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

test.each([rsa, elliptic, edwards])("a token that the issuer has signed is accepted ($jwk.alg)", async ({ sign }) => {
  const claims = { name: "Ada", email: "ada@example.com", picture: "https://example.com/ada.png" };
  const payload = issuerClaims(ISSUER, claims);
  expect(await verify(await sign(payload))).toEqual({
    ...{ userId: "ada", name: "Ada", email: "ada@example.com", photoUrl: "https://example.com/ada.png" },
    ...{ grants: [], tokenNumber: 0, issuedAfter: payload.iat * 1000 - 10_000, expiresAt: payload.exp * 1000 },
  });
});

describe("a token is rejected", () => {
  const pem = createPublicKey({ key: rsa.jwk, format: "jwk" }).export({ format: "pem", type: "spki" });
  const claims = encode(issuerClaims(ISSUER));
  const attacks: Record<string, () => string | Promise<string>> = {
    "for another audience": () => sign({ aud: "another" }),
    "for no audience": () => sign({ aud: [] }),
    "without an audience": () => sign({ aud: undefined }),
    "of another issuer": () => sign({ iss: "https://issuer.example" }),
    "of a list of issuers": () => sign({ iss: [ISSUER] }),
    "under a key of the same ID": () => attacker.sign(issuerClaims(ISSUER)),
    "under a key that is another's by its ID": () => sign({}, { kid: "elliptic" }),
    "under a key in its header": () => attacker.sign(issuerClaims(ISSUER), { kid: undefined, jwk: attacker.jwk }),
    "under keys at a URL in its header": () => attacker.sign(issuerClaims(ISSUER), { jku: "http://127.0.0.1/keys" }),
    "that is not signed": () => `${encode({ alg: "none", kid: "rsa" })}.${claims}.`,
    "that is signed with the public key as a secret": () => signSecret({ alg: "HS256", kid: "rsa" }, pem),
    "that is signed with the modulus as a secret": () => signSecret({ alg: "HS256", kid: "rsa" }, `${rsa.jwk.n}`),
    "that is signed with an empty secret": () => signSecret({ alg: "HS256" }, ""),
    "not valid yet": () => sign({ nbf: seconds() + 60 }),
    "issued in the future": () => sign({ iat: seconds() + 60 }),
    "without a time of issue": () => sign({ iat: undefined }),
    "without an expiry": () => sign({ exp: undefined }),
    "with an expiry that is a text": () => sign({ exp: "9999999999" }),
    "with an extension that must be understood": () => sign({}, { crit: ["b64"], b64: false }).catch(() => "a.b.c"),
    "with an empty user ID": () => sign({ sub: "" }),
    "with a user ID that is a number": () => sign({ sub: 7 }),
    "with a user ID of 257 characters": () => sign({ sub: "a".repeat(257) }),
    "with a control character in the user ID": () => sign({ sub: "ada\u0000" }),
    "with a lone surrogate in the user ID": () => sign({ sub: "ada\ud800" }),
    "without a user ID": () => sign({ sub: undefined }),
  };
  test.each(Object.entries(attacks))("%s", async (_title, token) => {
    await expect(verify(await token())).rejects.toMatchObject({ reason: "user_token_invalid" });
  });

  test("while the workspace accepts no issuer, without fetching keys", async () => {
    await expect(verify(await sign(), { isEnabled: false })).rejects.toMatchObject({ reason: "user_token_invalid" });
  });

  test("under a secret or private key in the key set", async () => {
    const oct = { kty: "oct", kid: "rsa", k: Buffer.from("secret").toString("base64url"), alg: "HS256" };
    const token = signSecret({ alg: "HS256", kid: "rsa" }, "secret");
    await expect(verify(token, {}, { keys: [oct] })).rejects.toMatchObject({ reason: "user_token_invalid" });
  });

  test("without a key ID if several keys could have signed it", async () => {
    const { kid: _, ...anonymous } = rsa.jwk;
    const token = await sign({}, { kid: undefined });
    expect((await verify(token, {}, { keys: [anonymous] })).userId).toBe("ada");
    const keys = [anonymous, { ...attacker.jwk, kid: "other" }];
    await expect(verify(token, {}, { keys })).rejects.toMatchObject({ reason: "user_token_invalid" });
  });

  test("under a key that no algorithm can use", async () => {
    const broken = [
      { ...rsa.jwk, n: "AQAB" },
      { ...rsa.jwk, n: 7 as unknown as string },
      { kid: "rsa", kty: "RSA" },
    ];
    for (const key of broken) {
      await expect(verify(await sign(), {}, { keys: [key] })).rejects.toMatchObject({ reason: "user_token_invalid" });
    }
  });
});

test("an expired token is returned as such, and one is valid for 48 hours at most", async () => {
  expect((await verify(await sign({ exp: seconds() - 60 }))).expiresAt).toBeLessThan(Date.now());
  const iat = seconds() - 3_600;
  const long = await verify(await sign({ iat, exp: seconds() + 30 * 86_400 }));
  expect(long.expiresAt).toBe((iat + 48 * 3_600) * 1000);
  const old = await verify(await sign({ iat: seconds() - 49 * 3_600, exp: seconds() + 3_600 }));
  expect(old.expiresAt).toBeLessThan(Date.now());
});

test("the clocks of the issuer and the service may differ by ten seconds", async () => {
  const early = await verify(await sign({ iat: seconds() + 8, nbf: seconds() + 8, exp: seconds() + 60 }));
  expect(early.userId).toBe("ada");
});

test("the audience of issuers without aud is in azp", async () => {
  const byParty = { audience: "https://app.example", audienceClaim: "azp" } as const;
  const token = (azp?: string) => sign({ aud: "another", azp });
  expect((await verify(await token("https://app.example"), byParty)).userId).toBe("ada");
  for (const azp of ["https://evil.example", undefined]) {
    await expect(verify(await token(azp), byParty)).rejects.toMatchObject({ reason: "user_token_invalid" });
  }
  // The claim azp does not matter by default.
  await expect(verify(await token("colloquy"))).rejects.toMatchObject({ reason: "user_token_invalid" });
});
