import type { JSONWebKeySet } from "jose";
import { expect, test } from "vitest";
import { silentLog } from "../../../../test/harness.ts";
import { generateIssuerKey, issuerClaims } from "../../../../test/token-issuer.ts";
import type { TokenIssuerConfig } from "../token-issuer-config/token-issuer-config.ts";
import { mergeTokenIssuerConfig, readTokenIssuerConfig } from "../token-issuer-config/token-issuer-config.ts";
import { KeySets } from "./key-sets.ts";
import { verifyIssuerToken } from "./verify-issuer-token.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const [first, second] = await Promise.all([generateIssuerKey("first"), generateIssuerKey("second")]);
const CONFIG: TokenIssuerConfig = mergeTokenIssuerConfig(readTokenIssuerConfig(null), {
  ...{
    isEnabled: true,
    issuer: "https://issuer.example",
    jwksUrl: "https://issuer.example/keys",
    audience: "colloquy",
  },
});

/** Returns an issuer whose keys and clock the test sets. */
function issuer() {
  const state = { keys: [first.jwk], now: 0, fetches: 0, isReachable: true, pending: Promise.resolve() };
  const keySets = new KeySets({
    async fetch(): Promise<JSONWebKeySet> {
      state.fetches++;
      await state.pending;
      if (!state.isReachable) throw new Error("unreachable");
      return { keys: state.keys };
    },
    now: () => state.now,
    log: silentLog,
  });
  const verify = (token: string, workspaceId = "one") =>
    verifyIssuerToken(keySets, { workspaceId, config: CONFIG }, token);
  return { state, keySets, verify };
}

const sign = (key: typeof first, header = {}) => key.sign(issuerClaims(CONFIG.issuer), header);

test("keys are fetched once for many concurrent tokens, and again when they are ten minutes old", async () => {
  const { state, verify } = issuer();
  const token = await sign(first);
  await Promise.all(Array.from({ length: 20 }, () => verify(token)));
  expect(state.fetches).toBe(1);
  state.now = 10 * MINUTE;
  await verify(token);
  expect(state.fetches).toBe(1);
  state.now++;
  await Promise.all(Array.from({ length: 20 }, () => verify(token)));
  expect(state.fetches).toBe(2);
});

test("a key that the issuer adds is accepted, and the one it replaces is rejected, once a token names it", async () => {
  const { state, verify } = issuer();
  const [old, rotated] = [await sign(first), await sign(second)];
  await verify(old);
  state.keys = [second.jwk];
  state.now = 10 * SECOND;
  expect((await verify(rotated)).userId).toBe("ada");
  await expect(verify(old)).rejects.toMatchObject({ reason: "user_token_invalid" });
  expect(state.fetches).toBe(2);
});

test("a withdrawn key is rejected once the keys are ten minutes old", async () => {
  const { state, verify } = issuer();
  const old = await sign(first);
  await verify(old);
  state.keys = [second.jwk];
  state.now = 10 * MINUTE + 1;
  await expect(verify(old)).rejects.toMatchObject({ reason: "user_token_invalid" });
});

test("tokens with unknown keys cause one fetch in ten seconds, and none for another workspace", async () => {
  const { state, verify } = issuer();
  await verify(await sign(first));
  state.now = MINUTE;
  for (let index = 0; index < 50; index++) {
    const token = await sign(first, { kid: `made up ${index}` });
    await expect(verify(token)).rejects.toMatchObject({ reason: "user_token_invalid" });
  }
  expect(state.fetches).toBe(2);
  state.keys = [second.jwk];
  await expect(verify(await sign(second))).rejects.toMatchObject({ reason: "user_token_invalid" });
  // The limit of one workspace does not keep another one from fetching.
  expect((await verify(await sign(second), "two")).userId).toBe("ada");
  state.now = MINUTE + 10 * SECOND;
  expect((await verify(await sign(second))).userId).toBe("ada");
});

test("a workspace that changes the address of its keys 1,000 times removes no keys of another one", async () => {
  const { state, keySets, verify } = issuer();
  const token = await sign(first);
  await verify(token, "mine");
  for (let index = 0; index < 1_000; index++) keySets.get("theirs", `https://issuer.example/keys?${index}`);
  state.isReachable = false;
  expect((await verify(token, "mine")).userId).toBe("ada");
  expect(state.fetches).toBe(1);
});

test("without any key, an unreachable issuer makes requests UNAVAILABLE, with one attempt in ten seconds", async () => {
  const { state, keySets, verify } = issuer();
  state.isReachable = false;
  const token = await sign(first);
  for (let index = 0; index < 10; index++) {
    await expect(verify(token)).rejects.toMatchObject({ reason: "token_issuer_unavailable", status: "UNAVAILABLE" });
  }
  expect(keySets.counts).toEqual({ fetched: 0, failed: 1 });
  state.isReachable = true;
  state.now = 10 * SECOND;
  expect((await verify(token)).userId).toBe("ada");
});

test("cached keys of an unreachable issuer serve for an hour, then requests are UNAVAILABLE", async () => {
  const { state, verify } = issuer();
  const token = await sign(first);
  await verify(token);
  state.isReachable = false;
  for (const minutes of [11, 30, 60]) {
    state.now = minutes * MINUTE;
    expect((await verify(token)).userId).toBe("ada");
  }
  state.now = 60 * MINUTE + 1;
  await expect(verify(token)).rejects.toMatchObject({ reason: "token_issuer_unavailable" });
  state.isReachable = true;
  state.now += 10 * SECOND;
  expect((await verify(token)).userId).toBe("ada");
});

test("after a failed fetch, tokens do not wait for the next one while cached keys serve", async () => {
  const { state, verify } = issuer();
  const token = await sign(first);
  await verify(token);
  state.isReachable = false;
  state.now = 11 * MINUTE;
  await verify(token);
  state.now = 12 * MINUTE;
  // This fetch never ends.
  state.pending = new Promise(() => {});
  expect((await verify(token)).userId).toBe("ada");
  expect(state.fetches).toBe(3);
});
