import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK, SignJWT } from "jose";
import type { Api } from "../src/operations.ts";
import { registerCleanup } from "./cleanup.ts";
import type { TestWorkspace } from "./harness.ts";

const UPDATE = "/v2/workspace/tokenissuerconfig/update";
const KEYS = "/.well-known/jwks.json";

/** Claims of a token, also those that no issuer would write. */
export type Claims = Record<string, unknown>;

/** A key with which a test issuer signs. */
export interface IssuerKey {
  jwk: JWK;
  sign(claims: Claims, header?: object): Promise<string>;
}

/** Generates a key of an issuer. */
export async function generateIssuerKey(kid: string, algorithm = "ES256"): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" };
  return {
    jwk,
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, typ: "JWT", ...header }).sign(privateKey),
  };
}

/** Claims that identity providers add. */
export function issuerClaims(issuer: string, claims: Claims = {}) {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: "colloquy", sub: "ada", iat: now, exp: now + 300, ...claims };
}

/** An issuer of tokens, whose keys are on loopback. */
export class TestIssuer {
  readonly name: string;
  readonly jwksUrl: string;
  /** Number of times that the keys were fetched. */
  fetches = 0;
  keys: IssuerKey[];
  /** Replaces the response with the keys. */
  respond: ((response: ServerResponse) => void) | undefined;

  constructor(name: string, origin: string, keys: IssuerKey[]) {
    this.name = name;
    this.jwksUrl = `${origin}${KEYS}`;
    this.keys = keys;
  }

  get keySet(): JSONWebKeySet {
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }

  /** Signs a token with the latest key, by default for the user `ada` for five minutes. */
  async sign(claims: Claims = {}, header: object = {}): Promise<string> {
    const key = this.keys.at(-1);
    if (!key) throw new Error("the issuer has no key");
    return key.sign(issuerClaims(this.name, claims), header);
  }

  /** Makes a workspace accept the issuer. Members of the organizations in the claim `orgs` are editors. */
  async enable(workspace: TestWorkspace, changes: Api[typeof UPDATE]["request"] = {}): Promise<void> {
    await workspace.data(UPDATE, {
      ...{ isEnabled: true, issuer: this.name, jwksUrl: this.jwksUrl, audience: "colloquy" },
      ...{ claims: { organizations: "orgs", roles: "roles" }, defaultRole: "editor" as const },
      ...changes,
    });
  }
}

/** Starts an issuer until the end of the test or file. */
export async function startIssuer(name = "https://issuer.example/"): Promise<TestIssuer> {
  const server = createServer((request, response) => {
    if (request.url !== KEYS) return void response.writeHead(404).end();
    issuer.fetches++;
    if (issuer.respond) return issuer.respond(response);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(issuer.keySet));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  registerCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const issuer = new TestIssuer(name, `http://127.0.0.1:${port}`, [await generateIssuerKey("first")]);
  return issuer;
}

/** Returns the headers of a page that calls a workspace with a token of its issuer. */
export function issuerHeaders({ apiKey }: TestWorkspace, token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, "x-service-api-key": apiKey };
}
