import { createHmac, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { EncryptJWT } from "jose";
import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { callWith, claimsFor, signClaims, TEST_KEYS } from "../../../test/user-tokens.ts";

const service = await startTestService();
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" });

type Header = Record<string, unknown>;

/** Returns the HTTP code and reason of a call of an operation for backends, which a valid token alone may not call. */
async function respondTo(token: string): Promise<unknown> {
  const { httpStatus, body } = await callWith(token, `${service.address}/v2/workspace/authtokens/get`, {});
  return [httpStatus, Object(body).error?.details?.reason];
}

function encode(value: string | object): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

/** Signs what is given with a secret, also what no library would sign. */
function signText(header: string | Header, payload: string | object, secret: string | Uint8Array): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** Signs with the attacker's own key of RSA or of the curve P-256. */
function signOwn(header: Header, payload: object, { privateKey }: typeof rsa): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** The attacks that section 2 of RFC 8725 lists, by their titles there or by what they change. */
async function attacksOn(workspace: TestWorkspace, theirs: TestWorkspace): Promise<Record<string, string>> {
  const claims = claimsFor(workspace);
  const { id: kid, key } = TEST_KEYS.current(workspace.apiKey);
  const secret = key.export();
  const none = (alg: string) => `${encode({ alg, kid })}.${encode(claims)}.`;
  const jwk: JsonWebKey = elliptic.publicKey.export({ format: "jwk" });
  const pem = rsa.publicKey.export({ format: "pem", type: "spki" }).toString();
  const [, payload = "", signature = ""] = (await signClaims(workspace.apiKey, claims)).split(".");
  const encrypted = await new EncryptJWT(claims)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
    .encrypt(Buffer.from(secret));
  const utf16 = Buffer.from(JSON.stringify({ alg: "HS256", kid }), "utf16le").toString("base64url");
  return {
    "2.1 none": none("none"),
    "2.1 None": none("None"),
    "2.1 NONE": none("NONE"),
    "2.1 nOnE": none("nOnE"),
    "2.1 no algorithm": signText({ kid }, claims, secret),
    "2.1 RS256 for HS256": signOwn({ alg: "RS256", kid }, claims, rsa),
    "2.1 ES256 for HS256": signOwn({ alg: "ES256", kid }, claims, elliptic),
    "2.1 a public key as the secret": signText({ alg: "HS256", kid }, claims, pem),
    "2.2 an empty secret": signText({ alg: "HS256", kid }, claims, ""),
    "2.2 the API key as the secret": signText({ alg: "HS256", kid }, claims, workspace.apiKey),
    "2.2 the auth token as the secret": signText({ alg: "HS256", kid }, claims, workspace.authToken),
    "2.2 the key ID as the secret": signText({ alg: "HS256", kid }, claims, kid),
    "2.3 the same, encrypted and not signed": encrypted,
    "2.4 a signature of zeros by ES256": `${encode({ alg: "ES256", kid })}.${payload}.${encode("\0".repeat(64))}`,
    "2.5 a key in the header": signOwn({ alg: "ES256", kid, jwk }, claims, elliptic),
    "2.5 no key ID, a key in the header": signOwn({ alg: "ES256", jwk }, claims, elliptic),
    "2.6 a header in UTF-16": `${utf16}.${payload}.${signature}`,
    "2.7 for another audience": signText({ alg: "HS256", kid }, { ...claims, aud: theirs.apiKey }, secret),
    "2.8 by the key of another workspace": await signClaims(theirs.apiKey, claims),
    "2.9 a URL of keys": signOwn({ alg: "RS256", kid, jku: `${service.address}/keys` }, claims, rsa),
    "2.9 a URL of certificates": signOwn({ alg: "RS256", kid, x5u: `${service.address}/keys` }, claims, rsa),
    "2.9 a key ID that is a path": signText({ alg: "HS256", kid: "../../../dev/null" }, claims, ""),
    "2.9 a key ID that is SQL": signText({ alg: "HS256", kid: "' union select '' --" }, claims, ""),
    "2.9 a key ID that every object has": signText({ alg: "HS256", kid: "__proto__" }, claims, ""),
    "an extension that must be understood": signText({ alg: "HS256", kid, crit: ["exp2"], exp2: 1 }, claims, secret),
    "a payload that is not encoded": signText({ alg: "HS256", kid, crit: ["b64"], b64: false }, claims, secret),
    "a compressed payload": signText({ alg: "HS256", kid, crit: ["zip"], zip: "DEF" }, claims, secret),
    "a list as the payload": signText({ alg: "HS256", kid }, JSON.stringify([claims]), secret),
    "a payload that is not JSON": signText({ alg: "HS256", kid }, "claims", secret),
    "a header with two algorithms": signText(`{"alg":"HS256","alg":"none","kid":"${kid}"}`, claims, ""),
    "an expiry that is a text": signText({ alg: "HS256", kid }, { ...claims, exp: "9999999999" }, secret),
    "four parts": `${encode({ alg: "HS256", kid })}.${payload}.${signature}.${signature}`,
  };
}

test("none of the attacks of RFC 8725 is accepted, and none is an internal error", async () => {
  const [workspace, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  // A valid token passes, and only the operation is denied.
  expect(await respondTo(await signClaims(workspace.apiKey, claimsFor(workspace)))).toEqual([403, "backend_only"]);
  const attacks = await attacksOn(workspace, theirs);
  const responses: Record<string, unknown> = {};
  for (const [title, token] of Object.entries(attacks)) responses[title] = await respondTo(token);
  const rejected = Object.keys(attacks).map((title) => [title, [403, "user_token_invalid"]]);
  expect(responses).toEqual(Object.fromEntries(rejected));
});
