import { describe, expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../test/eventually.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import {
  getCookie,
  linkToken,
  ownedWorkspace,
  postToken,
  sameOriginHeaders,
  send,
  signIn,
  TestSession,
} from "../../test/sessions.ts";

const service = await startOwnTestService();
const { address: other } = await service.secondProcess();
const tlsService = await startOwnTestService(() => ({ publicUrl: "https://console.example" }));
const { address } = service;
const REJECTED = { httpStatus: 403, body: { error: { status: "PERMISSION_DENIED", message: expect.any(String) } } };
const GET = "/v2/workspaces/get";

let owners = 0;
/** Creates a workspace whose owner has a unique address. Returns the address. */
async function owner(domain = "owner.example") {
  const email = `owner-${++owners}@${domain}`;
  return { email, workspace: await ownedWorkspace(service, email) };
}

describe("signing in", () => {
  test("the token of a link starts a session with a cookie that scripts and other sites cannot use", async () => {
    const { email, workspace } = await owner();
    const response = await postToken(address, await linkToken(service, email));
    expect(response).toMatchObject({ httpStatus: 200, body: { continueUrl: null, isContinueUrlTrusted: false } });
    expect(response.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^colloquy_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(await new TestSession(address, getCookie(response)).workspaceIds()).toEqual([workspace.id]);
  });

  test("with TLS the cookie is Secure, bound to this host, and the only one accepted", async () => {
    const own = { origin: "https://console.example" };
    const response = await postToken(tlsService.address, await linkToken(tlsService, null), own);
    const [cookie = ""] = response.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-colloquy_session=[\w-]{43}; .*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const session = new TestSession(tlsService.address, getCookie(response));
    expect(await session.call(GET, {}, own)).toMatchObject({ httpStatus: 200 });
    const tossed = { ...own, cookie: getCookie(response).replace("__Host-", "") };
    expect(await session.call(GET, {}, tossed)).toMatchObject(REJECTED);
    expect(await session.call(GET, {}, { origin: tlsService.address })).toMatchObject(REJECTED);
  });

  test("TLS at a trusted proxy counts as TLS", async () => {
    const behindProxy = await startOwnTestService(() => ({ trustProxy: "127.0.0.1" }));
    const forwarded = {
      ...{ "x-forwarded-proto": "https", "x-forwarded-host": "team.example" },
      origin: "https://team.example",
    };
    const response = await postToken(behindProxy.address, await linkToken(behindProxy, null), forwarded);
    expect(response.headers["set-cookie"]).toEqual([expect.stringMatching(/^__Host-.*; Secure; SameSite=Strict$/)]);
  });

  test("a link signs in only once", async () => {
    const token = await linkToken(service, null);
    expect(await postToken(address, token)).toMatchObject({ httpStatus: 200 });
    const again = await postToken(address, token);
    expect(again).toMatchObject(REJECTED);
    expect(again.headers["set-cookie"]).toBeUndefined();
  });

  test("one of twelve simultaneous uses of a link on two processes signs in", async () => {
    const token = await linkToken(service, null);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => postToken(index % 2 ? address : other, token)),
    );
    const statuses = responses.map(({ httpStatus }) => httpStatus).sort();
    expect(statuses).toEqual([200, ...Array(11).fill(403)]);
  });

  test("an expired link is like an unknown one", async () => {
    const old = await postToken(address, await linkToken(service, "a@b.example", { expiresAt: Date.now() - 1 }));
    const unknown = await postToken(address, "x".repeat(43));
    expect(old).toMatchObject(REJECTED);
    expect(unknown.body).toEqual(old.body);
  });

  test.each([undefined, null, 7, {}, ["x"]])("%j instead of a token is INVALID_ARGUMENT", async (token) => {
    const error = { status: "INVALID_ARGUMENT", message: expect.stringMatching(/^token must be /) };
    expect(await postToken(address, token)).toMatchObject({ httpStatus: 400, body: { error } });
  });

  test("signing in ends the previous session of the browser", async () => {
    const before = await signIn(service, null);
    const after = await signIn(service, null, { cookie: before.cookie });
    expect(await before.call(GET, {})).toMatchObject(REJECTED);
    expect(await after.call(GET, {})).toMatchObject({ httpStatus: 200 });
    expect(after.cookie).not.toBe(before.cookie);
  });

  test("a link that does not sign in keeps the session of the browser", async () => {
    const session = await signIn(service, null);
    expect(await postToken(address, "wrong", { cookie: session.cookie })).toMatchObject(REJECTED);
    expect(await session.call(GET, {})).toMatchObject({ httpStatus: 200 });
  });

  test("a page of another site cannot sign a user in, and does not use up the link", async () => {
    const token = await linkToken(service, null);
    for (const headers of FOREIGN) expect(await postToken(address, token, headers)).toMatchObject(REJECTED);
    const { origin, ...withoutOrigin } = sameOriginHeaders(address);
    expect(await send(`${address}/console/session`, { token }, withoutOrigin)).toMatchObject(REJECTED);
    expect(await postToken(address, token)).toMatchObject({ httpStatus: 200 });
  });

  test("a GET of the path does not sign in", async () => {
    const token = await linkToken(service, null);
    await fetch(`${address}/console/session?token=${token}`);
    expect(await postToken(address, token)).toMatchObject({ httpStatus: 200 });
  });
});

const FOREIGN: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "http://localhost:1" },
  { origin: "null" },
  { origin: `${address}.evil.example` },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "none" },
];

describe("continueUrl", () => {
  async function trust(continueUrl: string, email = "stranger@owner.example") {
    const { body } = await postToken(address, await linkToken(service, email, { continueUrl }));
    return body;
  }

  test.each([`${address}/console/x?y#z`, "http://localhost/", "https://localhost:3000/app"])(
    "%s is trusted",
    async (continueUrl) => {
      expect(await trust(continueUrl)).toEqual({ continueUrl, isContinueUrlTrusted: true });
    },
  );

  test.each([
    ...["https://evil.example/", "http://127.0.0.1:1/", "https://localhost.evil.example/"],
    ...["https://localhost@evil.example/", `https://evil.example/${address}`],
  ])("%s is not trusted", async (continueUrl) => {
    expect(await trust(continueUrl)).toEqual({ continueUrl, isContinueUrlTrusted: false });
  });

  test("an allowed domain of any of the owner's workspaces is trusted, and no others are", async () => {
    const [{ email }, other] = await Promise.all([owner(), owner()]);
    const second = await ownedWorkspace(service, email.toUpperCase());
    await second.data("/v2/workspace/domains/add", { domains: ["mine.example", "*.mine.example"] });
    await other.workspace.data("/v2/workspace/domains/add", { domains: ["theirs.example"] });
    const trusted = async (url: string) => Object(await trust(url, email)).isContinueUrlTrusted;
    expect(await trusted("https://mine.example:8443/x")).toBe(true);
    expect(await trusted("https://app.mine.example/")).toBe(true);
    expect(await trusted("https://theirs.example/")).toBe(false);
  });
});

describe("a session instead of an API key and an auth token", () => {
  test("is rejected from other sites, whatever headers a forged request has", async () => {
    const session = await signIn(service, null);
    for (const headers of FOREIGN) expect(await session.call(GET, {}, headers)).toMatchObject(REJECTED);
    expect(await session.call(GET, {}, { origin: "" })).toMatchObject(REJECTED);
    expect(await session.call(GET, {}, { "sec-fetch-site": "" })).toMatchObject({ httpStatus: 200 });
  });

  test("is rejected from a web page of a domain that the workspace allows", async () => {
    const { email, workspace } = await owner();
    await workspace.data("/v2/workspace/domains/add", { domains: ["allowed.example"] });
    const session = await signIn(service, email);
    expect(await session.call(GET, {}, { origin: "https://allowed.example" })).toMatchObject(REJECTED);
  });

  test("works on the named workspace, or on the oldest one", async () => {
    const { email, workspace } = await owner();
    const second = await ownedWorkspace(service, email);
    await second.data("/v2/workspace/domains/add", { domains: ["second.example"] });
    const session = await signIn(service, email);
    const domains = (headers = {}) => session.data("/v2/workspace/domains/get", {}, headers);
    expect(await session.workspaceIds()).toEqual([workspace.id, second.id]);
    expect(await domains()).toEqual({ allowedDomains: [], domains: [] });
    expect(await domains({ "x-colloquy-workspace": workspace.id })).toEqual({ allowedDomains: [], domains: [] });
    expect(await domains({ "x-colloquy-workspace": second.id })).toMatchObject({ allowedDomains: ["second.example"] });
  });

  test("treats workspaces of other owners like ones that do not exist", async () => {
    const [{ email }, { workspace }] = await Promise.all([owner(), owner()]);
    const session = await signIn(service, email);
    const named = async (id: string) => session.call(GET, {}, { "x-colloquy-workspace": id });
    const unknown = await named("0198c0de-7a11-4b1d-9c3e-2f6a5b8d4e10");
    expect(unknown).toMatchObject(REJECTED);
    for (const id of [workspace.id, "no id", "' or 1=1", "*"]) {
      expect((await named(id)).body).toEqual(unknown.body);
    }
  });

  test("of the operator reaches every workspace", async () => {
    const { workspace } = await owner();
    const session = await signIn(service, null);
    expect(await session.workspaceIds()).toContain(workspace.id);
    const named = { "x-colloquy-workspace": workspace.id };
    expect(await session.data("/v2/workspace/domains/get", {}, named)).toEqual({ allowedDomains: [], domains: [] });
  });

  test("of an owner without a workspace reaches none", async () => {
    const session = await signIn(service, "nobody@owner.example");
    expect(await session.call(GET, {})).toMatchObject(REJECTED);
  });

  test("is ignored if an API key is sent", async () => {
    const { workspace } = await owner();
    const session = await signIn(service, null);
    expect(await workspace.call(GET, {}, { cookie: session.cookie })).toMatchObject({
      body: { result: { data: [{ id: workspace.id }] } },
    });
    const wrong = { "x-service-api-key": "wrong", "x-service-auth-token": "wrong" };
    expect(await session.call(GET, {}, wrong)).toMatchObject(REJECTED);
  });

  test("an unknown or malformed cookie is rejected", async () => {
    const session = new TestSession(address, `colloquy_session=${"x".repeat(43)}`);
    expect(await session.call(GET, {})).toMatchObject(REJECTED);
    expect(await new TestSession(address, "colloquy_session=").call(GET, {})).toMatchObject({
      body: { error: { details: { reason: "credentials_missing" } } },
    });
  });
});

describe("the end of a session", () => {
  test("signing out ends it and clears the cookie, and can be repeated", async () => {
    const session = await signIn(service, null);
    expect(await session.call(GET, {})).toMatchObject({ httpStatus: 200 });
    for (const _time of [1, 2]) {
      const response = await session.call("/console/session/end", {});
      expect(response).toMatchObject({ httpStatus: 200, body: {} });
      expect(response.headers["set-cookie"]).toEqual([
        expect.stringMatching(/^colloquy_session=; Max-Age=0; Path=\/;/),
      ]);
    }
    expect(await session.call(GET, {})).toMatchObject(REJECTED);
  });

  test("another site cannot sign a user out", async () => {
    const session = await signIn(service, null);
    for (const headers of FOREIGN) {
      expect(await session.call("/console/session/end", {}, headers)).toMatchObject(REJECTED);
    }
    expect(await session.call(GET, {})).toMatchObject({ httpStatus: 200 });
  });

  test("another process that has used the session soon rejects it", async () => {
    const session = await signIn(service, null);
    expect(await session.at(other).call(GET, {})).toMatchObject({ httpStatus: 200 });
    await session.call("/console/session/end", {});
    await expect.poll(() => session.at(other).call(GET, {}), BEFORE_CACHE_EXPIRY).toMatchObject(REJECTED);
  });

  test.each([
    ["7 days after its sign-in", "expires_at = statement_timestamp()"],
    ["24 hours after its last use", "last_used_at = statement_timestamp() - interval '24 hours'"],
  ])("comes %s", async (_title, change) => {
    const session = await signIn(service, null);
    await runSql(
      service.database,
      `update sessions set ${change} where id = (select id from sessions order by created_at desc, id limit 1)`,
    );
    expect(await session.call(GET, {})).toMatchObject(REJECTED);
  });
});
