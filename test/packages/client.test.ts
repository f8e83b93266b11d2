import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import clientJson from "../../packages/client/package.json" with { type: "json" };
import { takesIdempotencyKey } from "../../packages/client/src/idempotency-key.ts";
import type { ClientOptions, StreamEvent } from "../../packages/client/src/index.ts";
import { operations } from "../../src/operations.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { activity, addActivities, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { claimsFor, signClaims, tokenFor } from "../user-tokens.ts";
import { bundle, compile, getCode, installPacked, runScript, servePage } from "./packed.ts";

const FEED = "/v2/activities/get";
const { organizationId } = SCOPE;

const service = await startTestService();
const project = await installPacked(["client"]);
const installed: typeof import("../../packages/client/src/index.ts") = await import(
  join(project, "node_modules/@colloquy/client/dist/index.js")
);
const script = await bundle(project, 'export { createClient } from "@colloquy/client";');
const { createClient, ColloquyError } = installed;

/** Returns a client of a backend, for whose requests `fetch` may return the response. */
function backend({ apiKey, authToken }: TestWorkspace, options: Pick<ClientOptions, "fetch"> = {}) {
  return createClient({ url: service.address, apiKey, authToken, ...options });
}

/** Responds as a service that fails with these responses at first. A number is an HTTP code; an Error is thrown. */
function failing(...responses: (Response | Error)[]) {
  return vi.fn(async (_url: unknown, _options?: RequestInit) => {
    const error = responses.shift();
    if (error instanceof Error) throw error;
    return error ?? Response.json({ result: { message: "Done.", data: [] } });
  });
}

function errorResponse(httpStatus: number, status: string, reason: string, headers: Record<string, string> = {}) {
  const error = { status, message: "It fails.", details: { reason } };
  return Response.json({ error }, { status: httpStatus, headers });
}

/** Calls with the shortest delays before retries. Returns the response or the error. */
async function callWithoutJitter(fetch: ClientOptions["fetch"] & object, path: typeof FEED | "/v2/activities/add") {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  const client = createClient({ url: "http://service", apiKey: "key", authToken: "token", fetch });
  const request = path === FEED ? { organizationId } : { ...SCOPE, activities: [] };
  const response = await client.call(path, request).catch((error: unknown) => error);
  random.mockRestore();
  return response;
}

function getKeys(fetch: ReturnType<typeof failing>): (string | null)[] {
  return fetch.mock.calls.map(([, options]) => new Headers(options?.headers).get("idempotency-key"));
}

/** Collects events until there are as many. */
async function collect(events: AsyncGenerator<StreamEvent, never>, count: number): Promise<unknown[]> {
  const collected: unknown[] = [];
  for await (const { cursor: _, ...event } of events) {
    collected.push("subject" in event ? event.subject.id : event.event);
    if (collected.length === count) break;
  }
  return collected;
}

test("the package has the version of the service, and no dependencies", () => {
  expect(clientJson.version).toBe(packageJson.version);
  expect(clientJson).not.toHaveProperty("dependencies");
});

test("an installed package has the types that docs/client.md uses", async () => {
  const code = getCode("docs/client.md", "ts").join("\n");
  expect(await compile(project, code)).toBe("");
  expect(await compile(project, code.replace("activity.id", "activity.time"))).toContain("'time' does not exist");
});

test("the types let a page leave out what its user token fills in, and accept undefined options", async () => {
  const code = `import { createClient } from "@colloquy/client";
    const { call } = createClient({ url: "http://service", getUserToken: () => "token", timeoutMs: undefined });
    const place = { organizationId: "acme", documentId: "contract-7", annotationId: "a" };
    await call("/v2/commentannotations/comments/add", { ...place, commentData: [{ commentText: "Good." }] });`;
  expect(await compile(project, code, "index.ts", ["--exactOptionalPropertyTypes"])).toBe("");
});

test("the first five minutes of the package's README end as it says", async () => {
  const workspace = await service.workspace();
  const [source = ""] = getCode("packages/client/README.md", "js");
  const printed = await runScript(project, source, service.address, workspace.apiKey, workspace.authToken);
  expect(printed).toBe("activity.add Ada signed\n");
});

test("only operations that store something get an idempotency key", async () => {
  const sent = operations.filter(({ path }) => takesIdempotencyKey(path));
  const scopes = (scope: string) => operations.filter((one) => "scope" in one && one.scope === scope);
  expect(sent.filter((one) => scopes("read").includes(one) || one.isTransient)).toEqual([]);
  expect(scopes("write").filter((one) => !sent.includes(one) && !one.isTransient)).toEqual([]);
});

describe("calls", () => {
  test("a list is iterated over all of its pages", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["one", "two", "three"]);
    const ids: string[] = [];
    const request = { organizationId, order: "asc" as const, pageSize: 2 };
    for await (const { id } of backend(workspace).list(FEED, request)) ids.push(id);
    expect(ids).toEqual(["one", "two", "three"]);
    const sizes: number[] = [];
    for await (const { data } of backend(workspace).pages(FEED, request)) sizes.push(data.length);
    expect(sizes).toEqual([2, 1]);
  });

  test("an error has its status, reason, details and request ID, and is not retried", async () => {
    const workspace = await service.workspace();
    const called = vi.fn(fetch);
    const error = await backend(workspace, { fetch: called })
      .call(FEED, { organizationId: "" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ColloquyError);
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      reason: "field_invalid",
      details: { issues: [{ path: "data.organizationId" }] },
      requestId: expect.stringMatching(/./),
      httpStatus: 400,
    });
    expect(called).toHaveBeenCalledTimes(1);
  });

  test("a write whose response was lost is carried out once", async () => {
    const lose: typeof fetch = async (...request) =>
      Promise.reject(new TypeError((await fetch(...request)).statusText));
    const client = backend(await service.workspace(), { fetch: vi.fn(fetch).mockImplementationOnce(lose) });
    await client.call("/v2/activities/add", { ...SCOPE, activities: [activity()] });
    expect((await client.call(FEED, { organizationId })).data).toHaveLength(1);
  });

  test("a write is sent again under the same idempotency key while the service is unavailable", async () => {
    const overloaded = errorResponse(503, "UNAVAILABLE", "overloaded");
    const fetch = failing(overloaded, new TypeError("no network"), new Response("", { status: 502 }));
    expect(await callWithoutJitter(fetch, "/v2/activities/add")).toMatchObject({ message: "Done." });
    expect(getKeys(fetch)).toEqual(Array(4).fill(expect.stringMatching(/^[\da-f]{32}$/)));
    expect(new Set(getKeys(fetch)).size).toBe(1);
    expect(await callWithoutJitter(fetch, "/v2/activities/add")).toMatchObject({ message: "Done." });
    expect(new Set(getKeys(fetch)).size).toBe(2);
  });

  test("a read is sent again no sooner than the service asks for", async () => {
    const fetch = failing(errorResponse(429, "RESOURCE_EXHAUSTED", "rate_limited", { "retry-after": "0.123" }));
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    expect(await callWithoutJitter(fetch, FEED)).toMatchObject({ message: "Done." });
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 123);
    expect(getKeys(fetch)).toEqual([null, null]);
  });

  test("a call fails once its retries are used up, and at once when it is aborted", async () => {
    const fetch = failing(...Array.from({ length: 9 }, () => new TypeError("no network")));
    expect(await callWithoutJitter(fetch, FEED)).toMatchObject({ status: "OFFLINE" });
    expect(fetch).toHaveBeenCalledTimes(5);
    const client = createClient({ url: "http://service", apiKey: "key", authToken: "token", fetch });
    const signal = AbortSignal.abort(new Error("The user has left."));
    await expect(client.call(FEED, { organizationId }, { signal })).rejects.toThrow("The user has left.");
  });
});

describe("user tokens", () => {
  test("concurrent calls share a token, which is replaced when it is revoked", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["one"]);
    const claims = claimsFor(workspace);
    const tokens = [await signClaims(workspace.apiKey, { ...claims, exp: claims.iat + 3600 })];
    const getUserToken = vi.fn(async () => tokens.shift() ?? tokenFor(workspace, "ada"));
    const { call, userToken } = createClient({ url: service.address, getUserToken });
    const read = () => call(FEED, SCOPE);
    await Promise.all([read(), read(), read()]);
    expect(getUserToken).toHaveBeenCalledTimes(1);
    await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
    const responses = await Promise.all([read(), read(), read()]);
    expect(responses.map(({ data }) => data.length)).toEqual([1, 1, 1]);
    expect(await userToken(await userToken())).toMatch(/^ey/);
    expect(getUserToken).toHaveBeenCalledTimes(3);
  });

  test("a token is replaced a minute before it expires", async () => {
    // A process of its own, because the service of the tests needs the time of this one.
    const source = `
      import { createClient } from "@colloquy/client";
      const start = Date.now();
      let asked = 0;
      function getUserToken() {
        asked += 1;
        return "header." + btoa(JSON.stringify({ exp: (Date.now() + 3_600_000) / 1000 })) + ".signature";
      }
      const fetch = async () => Response.json({ result: {} });
      const { call } = createClient({ url: "http://service", getUserToken, fetch });
      for (const seconds of [0, 3_539, 3_541]) {
        Date.now = () => start + seconds * 1000;
        await call("${FEED}", { organizationId: "acme" });
        console.log(asked);
      }`;
    expect(await runScript(project, source)).toBe("1\n1\n2\n");
  });

  test("a token that is rejected twice is an error, and the next call asks again", async () => {
    const workspace = await service.workspace();
    const getUserToken = vi.fn(() => "no-token");
    const { call } = createClient({ url: service.address, getUserToken });
    const error = { status: "PERMISSION_DENIED", reason: "user_token_invalid" };
    await expect(call(FEED, SCOPE)).rejects.toMatchObject(error);
    await addActivities(workspace, ["one"]);
    getUserToken.mockReturnValue(await tokenFor(workspace, "ada"));
    expect((await call(FEED, SCOPE)).data).toHaveLength(1);
  });
});

describe("streams", () => {
  /** Fetches for real, but cuts each stream off after one chunk with an event. */
  function cutting() {
    const cursors: (string | null)[] = [];
    async function* cut(body: AsyncIterable<Uint8Array<ArrayBuffer>> | null) {
      for await (const chunk of body ?? []) {
        yield chunk;
        if (new TextDecoder().decode(chunk).includes("event:")) return;
      }
    }
    return {
      cursors,
      fetch: async (url: string | URL | Request, options?: RequestInit) => {
        const response = await fetch(url, options);
        if (!String(url).includes("/stream")) return response;
        cursors.push(new Headers(options?.headers).get("last-event-id"));
        return new Response(ReadableStream.from(cut(response.body)), response);
      },
    };
  }

  test("a list and the events after it miss nothing and repeat nothing while connections end", async () => {
    const workspace = await service.workspace();
    const { cursors, fetch } = cutting();
    const client = backend(workspace, { fetch });
    // The first reader turns the log on.
    await client.call("/v2/events/get", { organizationId });
    await addActivities(workspace, ["one"]);
    const { data, eventCursor } = await client.call(FEED, { organizationId });
    await addActivities(workspace, ["two"]);
    const collecting = collect(client.events({ organizationId, kinds: ["activity.add"], cursor: eventCursor }), 4);
    await vi.waitFor(() => expect(cursors.length).toBeGreaterThan(1), { timeout: 30_000 });
    await addActivities(workspace, ["three"]);
    await vi.waitFor(() => expect(cursors.length).toBeGreaterThan(2), { timeout: 30_000 });
    await addActivities(workspace, ["four", "five"]);
    expect([...data.map(({ id }) => id), ...(await collecting)]).toEqual(["one", "two", "three", "four", "five"]);
    expect(cursors[0]).toBe(eventCursor);
  });

  test("a stream ends with the reason of its signal, or with the error of the service", async () => {
    const workspace = await service.workspace();
    const leaving = new AbortController();
    const endless = backend(workspace).events({ organizationId, signal: leaving.signal });
    const ended = expect(endless.next()).rejects.toThrow("The user has left.");
    leaving.abort(new Error("The user has left."));
    await ended;
    const rejected = createClient({ url: service.address, apiKey: "no key", authToken: "token" });
    await expect(rejected.events({ organizationId }).next()).rejects.toMatchObject({ reason: "api_key_invalid" });
  });

  test("events that are no longer kept are a reset, after which the stream goes on", async () => {
    const body = 'id: A\nevent: reset\ndata: {}\n\nid: B\nevent: activity.add\ndata: {"subject":{"id":"one"}}\n\n';
    const { events } = backend(await service.workspace(), { fetch: async () => new Response(body) });
    expect(await collect(events({ organizationId }), 2)).toEqual(["reset", "one"]);
  });
});

describeInBrowser("a page of another origin", () => {
  test("calls and follows events with a user token", async () => {
    const workspace = await service.workspace();
    await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
    await addActivities(workspace, ["one"]);
    const page = await newPage();
    onTestFinished(() => page.context().close());
    await page.goto(servePage(script));
    const options = { url: service.address, token: await tokenFor(workspace, "ada"), ...SCOPE };
    const source = `(async ({ url, token, organizationId, documentId }) => {
      const { createClient } = await import("/script.js");
      const client = createClient({ url, getUserToken: () => token });
      const { data, eventCursor } = await client.call("${FEED}", { organizationId, documentId });
      const commentAnnotations = [{ commentData: [{ commentText: "Good.", from: {} }] }];
      await client.call("/v2/commentannotations/add", { organizationId, documentId, commentAnnotations });
      const filter = { organizationId, documentId, kinds: ["comment_annotation.add"], cursor: eventCursor };
      const { value } = await client.events(filter).next();
      return [data[0].id, value.record.comments[0].commentText];
    })(${JSON.stringify(options)})`;
    expect(await page.evaluate(source)).toEqual(["one", "Good."]);
  });
});
