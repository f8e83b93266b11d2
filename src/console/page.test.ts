import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServiceError } from "../contract/errors.ts";
import { SessionCookies } from "../http/session-cookies.ts";
import { registerConsolePage } from "./page.ts";

const SCRIPT = "console.log('the console');\n";
const HEAD = '<meta property="csp-nonce" nonce="{nonce}"><meta name="session" content="{session}">';
const PAGE = `${HEAD}<script src="./assets/main-1a2b.js"></script>`;

let folder = "";
let server: FastifyInstance;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "colloquy-console-"));
  await mkdir(join(folder, "build/assets"), { recursive: true });
  await writeFile(join(folder, "secret.js"), "not of the build");
  await writeFile(join(folder, "build/index.html"), PAGE);
  await writeFile(join(folder, "build/color-scheme.js"), SCRIPT);
  await writeFile(join(folder, "build/assets/main-1a2b.js"), SCRIPT);
  await writeFile(join(folder, "build/assets/main-1a2b.js.gz"), gzipSync(SCRIPT));
  await writeFile(join(folder, "build/assets/main-1a2b.js.br"), "brotli");
  server = Fastify();
  server.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof ServiceError ? error.httpStatus : 500).send(String(error)),
  );
  await registerConsolePage(server, new SessionCookies("http://127.0.0.1:8080"), join(folder, "build"));
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function get(url: string, headers: Record<string, string> = {}) {
  return server.inject({ method: "GET", url, headers });
}

function getPolicy({ headers }: { headers: Record<string, unknown> }): Map<string, string> {
  const directives = String(headers["content-security-policy"]).split("; ");
  return new Map(directives.map((directive) => [directive.split(" ", 1)[0] ?? "", directive]));
}

test.each([
  ["/console", "console/assets/main-1a2b.js"],
  ["/console/", "./assets/main-1a2b.js"],
  ["/console/sign-in?continueUrl=a/b", "./assets/main-1a2b.js"],
  ["/console/0a1b/activities?user=x%2Fy", "../assets/main-1a2b.js"],
])("the page is served at %s and loads its script from there", async (url, script) => {
  const response = await get(url);
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(response.body).toContain(`src="${script}"`);
  expect(new URL(script, `http://host${url}`).pathname).toBe("/console/assets/main-1a2b.js");
});

test("only the service's own scripts and images load in the page, and other pages cannot frame it", async () => {
  const response = await get("/console");
  const policy = getPolicy(response);
  expect(policy.get("default-src")).toBe("default-src 'none'");
  expect(policy.get("script-src")).toBe("script-src 'self'");
  expect(policy.get("connect-src")).toBe("connect-src 'self'");
  expect(policy.get("img-src")).toBe("img-src 'self' data:");
  expect(policy.get("frame-ancestors")).toBe("frame-ancestors 'none'");
  expect(policy.get("style-src")).not.toContain("unsafe-inline");
  expect(response.headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
});

test("each response has a new nonce, which is the same in the page and in its policy", async () => {
  const responses = await Promise.all([get("/console"), get("/console")]);
  const nonces = responses.map((response) => {
    const [, nonce = ""] = /'nonce-([^']{16,})'/.exec(getPolicy(response).get("style-src") ?? "") ?? [];
    expect(response.body).toContain(`nonce="${nonce}"`);
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test("the page says when there cannot be a session", async () => {
  const session = { cookie: `colloquy_session=${"x".repeat(43)}` };
  const typed = { "sec-fetch-site": "none" };
  const stranger = await get("/console", typed);
  expect(stranger.body).toContain('<meta name="session" content="none">');
  // A browser that follows a link of another site sends no cookie, and old browsers do not say which site it is.
  for (const headers of [{ ...typed, ...session }, { "sec-fetch-site": "cross-site" }, {}]) {
    expect((await get("/console", headers)).body).toContain('<meta name="session" content="unknown">');
  }
});

test("browsers cache files with a hash in their names, revalidate the others, and do not store the page", async () => {
  const hashed = await get("/console/assets/main-1a2b.js");
  expect(hashed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(hashed.headers["content-type"]).toBe("application/javascript; charset=utf-8");
  expect((await get("/console")).headers["cache-control"]).toBe("no-store");
  const { headers } = await get("/console/color-scheme.js");
  expect(headers["cache-control"]).toBe("no-cache");
  const again = await get("/console/color-scheme.js", { "if-none-match": String(headers.etag) });
  expect(again.statusCode).toBe(304);
});

test("scripts are sent in an encoding that the browser accepts", async () => {
  const url = "/console/assets/main-1a2b.js";
  const brotli = await get(url, { "accept-encoding": "gzip, deflate, br" });
  expect([brotli.headers["content-encoding"], brotli.body]).toEqual(["br", "brotli"]);
  const gzip = await get(url, { "accept-encoding": "gzip" });
  expect([gzip.headers["content-encoding"], gzip.rawPayload]).toEqual(["gzip", gzipSync(SCRIPT)]);
  const plain = await get(url);
  expect([plain.headers["content-encoding"], plain.body]).toEqual([undefined, SCRIPT]);
  expect(plain.headers.vary).toBe("accept-encoding");
});

test("HEAD responds like GET, without the body", async () => {
  for (const url of ["/console", "/console/0a1b/overview", "/console/assets/main-1a2b.js"]) {
    const response = await server.inject({ method: "HEAD", url });
    expect([response.statusCode, response.body]).toEqual([200, ""]);
  }
});

test.each([
  "/console/../secret.js",
  "/console/..%2fsecret.js",
  "/console/assets/../../secret.js",
  "/console/assets/%2e%2e/%2e%2e/secret.js",
  "/console//secret.js",
  "/console/assets/main-1a2b.js.br",
])("%s does not lead to a file outside the page", async (url) => {
  const response = await get(url);
  expect(response.body).not.toContain("not of the build");
  expect(response.body).not.toBe("brotli");
});

test("a script of another build is 404, so that no browser keeps the page as a script", async () => {
  expect((await get("/console/assets/main-9f9f.js")).statusCode).toBe(404);
});

test("a console that was not built says how to build it, and is served once it is built", async () => {
  await rm(join(folder, "build/index.html"));
  const missing = await get("/console");
  expect(missing.statusCode).toBe(503);
  expect(missing.body).toBe("The console is not built yet: run `npm run prepare` and load this page again.\n");
  await writeFile(join(folder, "build/index.html"), PAGE);
  expect((await get("/console")).statusCode).toBe(200);
});
