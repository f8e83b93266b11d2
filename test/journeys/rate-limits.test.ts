import { expect, test } from "vitest";
import { SCOPE } from "../factories.ts";
import { post, startOwnTestService, type TestWorkspace } from "../harness.ts";
import { sameOriginHeaders } from "../sessions.ts";
import { callWith, claimsFor, signClaims } from "../user-tokens.ts";

const READ = "/v2/activities/get";
const BURST = 5;
const service = await startOwnTestService((config) => ({
  trustProxy: true,
  limits: { ...config.limits, wrongCredentials: { burst: BURST, perSecond: 0.001, delayMs: 20 } },
}));
const workspace = await service.workspace();

function callFrom(client: string, headers: Record<string, string>) {
  return post(`${service.address}${READ}`, SCOPE, { ...headers, "x-forwarded-for": client });
}

const WRONG = { ...workspace.headers, "x-service-auth-token": "wrong" };
const LIMITED = {
  httpStatus: 429,
  body: { error: { status: "RESOURCE_EXHAUSTED", details: { reason: "rate_limited" } } },
};

/** Returns the HTTP codes of concurrent calls, each with other credentials. */
async function statuses(count: number, client: string, buildHeaders: (index: number) => Record<string, string>) {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => callFrom(client, buildHeaders(index))),
  );
  return responses.map(({ httpStatus }) => httpStatus).sort();
}

test("wrong tokens of one client are RESOURCE_EXHAUSTED past the burst, for that client only", async () => {
  const wrongTokens = (index: number) => ({ ...WRONG, "x-service-auth-token": `wrong ${index}` });
  const expected = [...Array(BURST).fill(403), ...Array(20 - BURST).fill(429)];
  expect(await statuses(20, "192.0.2.1", wrongTokens)).toEqual(expected);
  const rejected = await callFrom("192.0.2.1", WRONG);
  expect(rejected).toMatchObject(LIMITED);
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await callFrom("192.0.2.2", WRONG)).toMatchObject({ httpStatus: 403 });
});

test("addresses of one IPv6 network of 64 bits are one client", async () => {
  for (let host = 1; host <= BURST; host++)
    expect(await callFrom(`2001:db8::${host}`, WRONG)).toMatchObject({ httpStatus: 403 });
  expect(await callFrom("2001:db8::ffff:1", WRONG)).toMatchObject(LIMITED);
  expect(await callFrom("2001:db8:0:1::1", WRONG)).toMatchObject({ httpStatus: 403 });
});

test("credentials that are known work at the address of a client that is limited", async () => {
  const client = "192.0.2.3";
  expect(await callFrom(client, workspace.headers)).toMatchObject({ httpStatus: 200 });
  await statuses(20, client, (index) => ({ ...WRONG, "x-service-auth-token": `wrong ${index}` }));
  expect(await callFrom(client, WRONG)).toMatchObject(LIMITED);
  // Creating a workspace clears the caches of lookups.
  await service.workspace();
  expect(await callFrom(client, workspace.headers)).toMatchObject({ httpStatus: 200 });
});

test("right credentials are not counted, however many are new", async () => {
  const workspaces = await Promise.all(Array.from({ length: 3 * BURST }, () => service.workspace()));
  for (const { headers } of workspaces) expect(await callFrom("192.0.2.4", headers)).toMatchObject({ httpStatus: 200 });
});

test("many concurrent calls with one new token succeed", async () => {
  const { headers } = await service.workspace();
  expect(await statuses(20, "192.0.2.5", () => headers)).toEqual(Array(20).fill(200));
});

test("wrong session cookies of one client are limited too", async () => {
  const wrongSessions = (index: number) => ({
    ...sameOriginHeaders(service.address),
    cookie: `colloquy_session=${"a".repeat(41)}${index + 10}`,
  });
  const expected = [...Array(BURST).fill(403), ...Array(20 - BURST).fill(429)];
  expect(await statuses(20, "192.0.2.6", wrongSessions)).toEqual(expected);
});

test("wrong user tokens, and wrong credentials in a body, are limited too", async () => {
  const expected = [...Array(BURST).fill(403), ...Array(20 - BURST).fill(429)];
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, sub) => signClaims(workspace.apiKey, { sub: `${sub}`, aud: "another workspace" })),
  );
  const wrongTokens = (index: number) => ({ authorization: `Bearer ${tokens[index]}` });
  expect(await statuses(20, "192.0.2.7", wrongTokens)).toEqual(expected);
  const responses = await Promise.all(
    tokens.map((authToken) => {
      const credentials = { apiKey: workspace.apiKey, authToken: authToken.slice(-20), userId: "ada" };
      return post(`${service.address}/v1/auth/token/get`, credentials, { "x-forwarded-for": "192.0.2.8" });
    }),
  );
  expect(responses.map(({ httpStatus }) => httpStatus).sort()).toEqual(expected);
});

test("a workspace is limited to REQUESTS_PER_SECOND, which the headers say, and others are not affected", async () => {
  const limit = 3;
  const limited = await startOwnTestService(() => ({ requestsPerSecond: limit }));
  const [one, other] = [await limited.workspace(), await limited.workspace()];
  // More requests than the limit allows even if they take ten seconds.
  const responses = await Promise.all(Array.from({ length: 12 * limit }, () => one.call(READ, SCOPE)));
  const rejected = responses.filter(({ httpStatus }) => httpStatus === 429);
  expect(rejected.length).toBeGreaterThan(0);
  for (const response of rejected) {
    expect(response).toMatchObject(LIMITED);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("ratelimit-remaining")).toBe("0");
  }
  const { httpStatus, headers } = await other.call(READ, SCOPE);
  expect([httpStatus, headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual([200, "3", "2"]);
  expect(headers.get("ratelimit-reset")).toBe("1");
  await expect.poll(() => one.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
});

test("all user tokens of a workspace share its limit", async () => {
  const limit = 3;
  const limited = await startOwnTestService(() => ({ requestsPerSecond: limit }));
  const [one, other] = [await limited.workspace(), await limited.workspace()];
  const callAs = async (caller: TestWorkspace, userId: string) => {
    const token = await signClaims(caller.apiKey, claimsFor(caller, userId));
    return callWith(token, `${limited.address}${READ}`, SCOPE);
  };
  const responses = await Promise.all(Array.from({ length: 12 * limit }, (_, index) => callAs(one, `user-${index}`)));
  expect(responses.filter(({ httpStatus }) => httpStatus === 429).length).toBeGreaterThan(0);
  const { organizationId, documentId } = SCOPE;
  await other.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  expect(await callAs(other, "ada")).toMatchObject({ httpStatus: 200 });
});

test("without a limit responses have no RateLimit headers", async () => {
  const { headers } = await workspace.call(READ, SCOPE);
  expect(headers.has("ratelimit-limit")).toBe(false);
});
