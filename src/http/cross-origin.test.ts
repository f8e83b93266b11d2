import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../test/eventually.ts";
import { addActivities, SCOPE } from "../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../test/harness.ts";

const ADD = "/v2/workspace/domains/add";
const GET = "/v2/workspace/domains/get";
const service = await startOwnTestService((config) => ({
  authHeaderPrefixes: [...config.authHeaderPrefixes, "acme"],
  publicUrl: "https://api.colloquy.example/base",
}));
const second = await service.secondProcess();

interface ApiResponse {
  httpStatus: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a request as given, without the headers that `fetch` would add or forbid. */
function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${service.address}${path}`, { method, headers }, async (response) => {
      resolve({ httpStatus: response.statusCode, headers: response.headers, body: await text(response) });
    });
    request.on("error", reject).end(body);
  });
}

/** Sends the preflight that Chromium sends before a call of a web page of this origin. */
function preflight(origin: string, path = GET): Promise<ApiResponse> {
  return send("OPTIONS", path, {
    accept: "*/*",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,x-service-api-key,x-service-auth-token",
    origin,
    "user-agent": "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "cross-site",
    "sec-fetch-dest": "empty",
    "accept-language": "en-US,en;q=0.9",
  });
}

async function workspaceWith(domains: string[]): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  if (domains.length > 0) await workspace.data(ADD, { domains });
  return workspace;
}

async function statusFrom(workspace: TestWorkspace, origin: string, path = GET): Promise<number> {
  return (await workspace.call(path, {}, { origin })).httpStatus;
}

/** Number of domains so far. Each test uses its own, because a preflight does not name a workspace. */
let domains = 0;
function newDomain(): string {
  return `site-${++domains}.example`;
}

function corsHeaders(headers: Headers | IncomingHttpHeaders): string[] {
  const names = headers instanceof Headers ? [...headers.keys()] : Object.keys(headers);
  return names.filter((name) => name.startsWith("access-control-"));
}

test("the response to a request without Origin has no CORS headers, whatever domains are allowed", async () => {
  for (const workspace of [await workspaceWith([]), await workspaceWith([newDomain()])]) {
    const { httpStatus, headers } = await workspace.call(GET, {});
    expect([httpStatus, corsHeaders(headers), headers.get("vary")]).toEqual([200, [], "Origin"]);
  }
});

test("a web page of an allowed domain may call and read the response", async () => {
  const domain = newDomain();
  const workspace = await workspaceWith([domain]);
  for (const origin of [
    `https://${domain}`,
    `http://${domain}:3000`,
    `https://www.${domain}`,
    `capacitor://${domain}`,
  ]) {
    const { httpStatus, headers } = await workspace.call(GET, {}, { origin });
    expect([origin, httpStatus]).toEqual([origin, 200]);
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-expose-headers")).toMatch(
      /^x-request-id, retry-after, deprecation, idempotent-replayed, ratelimit-limit, /,
    );
    expect(headers.get("vary")).toBe("Origin");
  }
});

test("a web page of another domain is PERMISSION_DENIED, may not read the response, and changes nothing", async () => {
  const domain = newDomain();
  const workspace = await workspaceWith([domain]);
  for (const origin of [`https://app.${domain}`, `https://${domain}.evil.example`, `https://evil-${domain}`]) {
    const { httpStatus, headers, body } = await workspace.call(ADD, { domains: ["new.example"] }, { origin });
    expect([httpStatus, corsHeaders(headers), headers.get("vary")]).toEqual([403, [], "Origin"]);
    expect(body).toMatchObject({ error: { status: "PERMISSION_DENIED", details: { reason: "origin_not_allowed" } } });
  }
  expect(await workspace.data(GET, {})).toMatchObject({ domains: [domain] });
});

test("a domain that only another workspace allows is rejected", async () => {
  const domain = newDomain();
  const [mine, theirs] = [await workspaceWith([]), await workspaceWith([domain])];
  expect(await statusFrom(theirs, `https://${domain}`)).toBe(200);
  const { httpStatus, headers } = await mine.call(GET, {}, { origin: `https://${domain}` });
  expect([httpStatus, corsHeaders(headers)]).toEqual([403, []]);
});

test("a wildcard matches every subdomain at any depth, but not the domain itself", async () => {
  const domain = newDomain();
  const workspace = await workspaceWith([`*.${domain}`]);
  const statuses: [string, number][] = [];
  const names = [`a.${domain}`, `www.${domain}`, `a.b.c.${domain}`, domain, `a${domain}`, `a.${domain}.evil.example`];
  for (const name of names) statuses.push([name, await statusFrom(workspace, `https://${name}`)]);
  expect(statuses).toEqual(names.map((name, index) => [name, index < 3 ? 200 : 403]));
});

test.each([
  ["localhost", "http://localhost:5173"],
  ["127.0.0.1", "http://127.0.0.1:8000"],
  ["[::1]", "http://[::1]:3000"],
  ["bücher.example", "https://xn--bcher-kva.example"],
])("the domain %s allows the origin %s", async (domain, origin) => {
  expect(await statusFrom(await workspaceWith([domain]), origin)).toBe(200);
  expect(await statusFrom(await workspaceWith([]), origin)).toBe(403);
});

test.each([
  ...[
    "null",
    "",
    "*",
    "example",
    "allowed.example",
    "https://",
    "https://allowed.example/",
    "https://allowed.example/x",
  ],
  ...["https://user@allowed.example", "https://allowed.example, https://evil.example", "https://allowed.example:port"],
  ...["https://allowed.example evil", "https://*.allowed.example", "https://allowed.example?x", "//allowed.example"],
  ...[
    "https://allowed.example\\evil.example",
    `https://${"a.".repeat(200)}allowed.example`,
    "https://[allowed.example]",
  ],
])("the Origin %j is PERMISSION_DENIED", async (origin) => {
  const workspace = await service.workspace();
  await workspace.call(ADD, { domains: ["allowed.example", "*.allowed.example"] });
  const { httpStatus, headers, body } = await send("POST", GET, { ...workspace.headers, origin });
  expect([httpStatus, corsHeaders(headers)]).toEqual([403, []]);
  expect(JSON.parse(body)).toMatchObject({ error: { status: "PERMISSION_DENIED" } });
});

test.each([
  ["an invalid body", (workspace: TestWorkspace) => [workspace.headers, '{"data":[]}', 400]],
  ["no JSON", (workspace: TestWorkspace) => [workspace.headers, "{", 400]],
  [
    "another media type",
    (workspace: TestWorkspace) => [{ ...workspace.headers, "content-type": "text/plain" }, "{}", 415],
  ],
  [
    "a body over the limit",
    (workspace: TestWorkspace) => [{ ...workspace.headers, "content-length": "11000000" }, "", 413],
  ],
  [
    "an invalid API key",
    (workspace: TestWorkspace) => [{ ...workspace.headers, "x-service-api-key": "wrong" }, "{}", 403],
  ],
  ["no headers", () => [{}, "{}", 403]],
] as [string, (workspace: TestWorkspace) => [Record<string, string>, string, number]][])(
  "a web page may read the error of %s",
  async (_title, make) => {
    const domain = newDomain();
    const workspace = await workspaceWith([domain]);
    const [headers, body, status] = make(workspace);
    const origin = `https://${domain}`;
    const response = await send("POST", GET, { "content-type": "application/json", ...headers, origin }, body);
    expect([response.httpStatus, response.headers["access-control-allow-origin"]]).toEqual([status, origin]);
  },
);

test.each(["https://api.colloquy.example", "the Host header"])("web pages of %s are always allowed", async (given) => {
  const origin = given === "the Host header" ? service.address : given;
  const workspace = await workspaceWith([]);
  const { httpStatus, headers } = await workspace.call(GET, {}, { origin });
  expect([httpStatus, headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  expect(await preflight(origin)).toMatchObject({ httpStatus: 204 });
});

// An operation for backends that writes, one for users too that reads, one for owners, and an alias.
describe.each([...["/v2/activities/add", "/v2/notifications/get", "/v2/workspace/authtokens/get", "/v1/users/add"]])(
  "%s",
  (path) => {
    test("accepts a web page of an allowed domain, and rejects another one", async () => {
      const domain = newDomain();
      const workspace = await workspaceWith([domain]);
      const allowed = await workspace.call(path, "{", { origin: `https://${domain}` });
      const rejected = await workspace.call(path, "{", { origin: "https://evil.example" });
      expect(allowed).toMatchObject({ httpStatus: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
      expect(rejected).toMatchObject({ httpStatus: 403, body: { error: { status: "PERMISSION_DENIED" } } });
    });

    test("responds to a browser's preflight", async () => {
      const domain = newDomain();
      await workspaceWith([domain]);
      expect(await preflight(`https://${domain}`, path)).toMatchObject({ httpStatus: 204 });
    });
  },
);

test("the response to a preflight has all headers that a browser needs, and no body", async () => {
  const domain = newDomain();
  await workspaceWith([domain]);
  const { httpStatus, headers, body } = await preflight(`https://${domain}`);
  expect([httpStatus, body]).toEqual([204, ""]);
  expect(headers).toMatchObject({
    "access-control-allow-origin": `https://${domain}`,
    "access-control-allow-methods": "GET,POST,PUT",
    "access-control-allow-headers":
      "content-type, authorization, x-service-api-key, x-service-auth-token, x-acme-api-key, x-acme-auth-token, " +
      "x-request-id, last-event-id, range, idempotency-key",
    "access-control-max-age": "7200",
    vary: "Origin",
    "x-request-id": expect.any(String),
  });
  expect(headers).not.toHaveProperty("access-control-allow-credentials");
});

test.each(["https://nobody.example", "null", "https://", ""])(
  "the preflight of %j, which no workspace allows, is rejected without CORS headers",
  async (origin) => {
    const { httpStatus, headers, body } = await preflight(origin);
    expect([httpStatus, corsHeaders(headers), headers.vary]).toEqual([403, [], "Origin"]);
    expect(JSON.parse(body)).toMatchObject({ error: { status: "PERMISSION_DENIED" } });
  },
);

test("OPTIONS that is not a preflight is HTTP 405, with and without an Origin", async () => {
  const domain = newDomain();
  await workspaceWith([domain]);
  const requested = { "access-control-request-method": "POST" };
  for (const headers of [{}, requested, { origin: `https://${domain}` }, { origin: "https://nobody.example" }]) {
    const response = await send("OPTIONS", GET, headers);
    expect([response.httpStatus, response.headers.allow]).toEqual([405, "POST"]);
  }
});

test("on the same process, adding and deleting a domain takes effect with the response", async () => {
  const domain = newDomain();
  const origin = `https://${domain}`;
  const workspace = await workspaceWith([]);
  const seen: (number | undefined)[] = [];
  const look = async () => void seen.push(await statusFrom(workspace, origin), (await preflight(origin)).httpStatus);
  await look();
  for (let round = 0; round < 10; round++) {
    await workspace.data(ADD, { domains: [domain] });
    await look();
    await workspace.data("/v2/workspace/domains/delete", { domains: [domain] });
    await look();
  }
  expect(seen).toEqual([403, 403, ...Array.from({ length: 10 }, () => [200, 204, 403, 403]).flat()]);
});

test("the added domains of a partial add take effect with its response too", async () => {
  const [known, added] = [newDomain(), newDomain()];
  const workspace = await workspaceWith([known]);
  expect(await statusFrom(workspace, `https://${added}`)).toBe(403);
  await workspace.error(ADD, { domains: [known, added] });
  expect(await statusFrom(workspace, `https://${added}`)).toBe(200);
});

test("a changed domain takes effect on another process within a second", async () => {
  const domain = newDomain();
  const workspace = await workspaceWith([]);
  const other = workspace.at(second.address);
  for (const [path, status] of [
    [ADD, 200],
    ["/v2/workspace/domains/delete", 403],
  ] as const) {
    await statusFrom(other, `https://${domain}`);
    await workspace.data(path, { domains: [domain] });
    await expect.poll(() => statusFrom(other, `https://${domain}`), BEFORE_CACHE_EXPIRY).toBe(status);
  }
});

test("an allowed web page reads and writes like a backend", async () => {
  const domain = newDomain();
  const workspace = await workspaceWith([domain]);
  await addActivities(workspace, ["activity-1"]);
  const response = await workspace.call("/v2/activities/get", SCOPE, { origin: `https://${domain}` });
  expect(response.body).toMatchObject({ result: { data: [{ id: "activity-1" }] } });
});
