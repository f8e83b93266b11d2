import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { JSON_TYPE } from "./answer.ts";

interface Asset {
  type: string;
  /** Hash of the content, which names its version in URLs and in `ETag`. */
  hash: string;
  identity: Buffer;
  gzip: Buffer;
}

/** Template of the page. Its links are relative, so that a proxy can serve it under another path. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Colloquy API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page requires JavaScript. <a href="openapi.json">openapi.json</a> has the same content.</noscript>
    <script src="docs/reference.js?v={hash}"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Starts Scalar with everything disabled that calls another host. "Try it" calls the origin that served the page. */
const START_SCRIPT = `const base = new URL(".", document.baseURI).href.replace(/\\/$/, "");
Scalar.createApiReference("#reference", {
  url: base + "/openapi.json",
  servers: [{ url: base }],
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hideModels: true,
  defaultOpenAllTags: true,
});
`;

/**
 * Policy that allows no foreign script, host or frame, because the page has the origin of the session. Inline styles
 * are allowed: Scalar adds style elements without a nonce.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";

/**
 * Adds GET /openapi.json, and the page /docs that renders it and loads nothing from other hosts. The document is made
 * for the first request: it takes 60 ms.
 */
export function registerDocumentation(server: FastifyInstance, makeDocument: () => object): void {
  const openApi = once(() => asset(JSON_TYPE, JSON.stringify(makeDocument())));
  const reference = once(async () => asset("text/javascript; charset=utf-8", await referenceScript()));
  const start = once(() => asset("text/javascript; charset=utf-8", START_SCRIPT));
  const page = once(async () => {
    const { hash } = await reference();
    return asset("text/html; charset=utf-8", PAGE.replace("{hash}", hash));
  });

  server.get("/openapi.json", async (request, reply) => send(request, reply, await openApi(), REVALIDATE));
  server.get("/docs", async (request, reply) => {
    reply.headers({ "content-security-policy": POLICY, "referrer-policy": "no-referrer" });
    return send(request, reply, await page(), REVALIDATE);
  });
  server.get("/docs/start.js", async (request, reply) => send(request, reply, await start(), REVALIDATE));
  server.get("/docs/reference.js", async (request, reply) => send(request, reply, await reference(), IMMUTABLE));
}

/**
 * Returns Scalar's bundle, 4.4 MB of script. The plugin offers it only as a route, next to a page whose inline scripts
 * our policy refuses. So a server that does not listen registers the plugin, and the route is called once.
 */
async function referenceScript(): Promise<string> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const source = Fastify();
  await source.register(scalar, { routePrefix: "/", configuration: { url: "/openapi.json" } });
  const answer = await source.inject("/js/scalar.js");
  await source.close();
  if (answer.statusCode !== 200) throw new Error("@scalar/fastify-api-reference no longer serves /js/scalar.js");
  return answer.body;
}

async function asset(type: string, text: string): Promise<Asset> {
  const identity = Buffer.from(text);
  return { type, hash: hash("sha256", identity).slice(0, 16), identity, gzip: await promisify(gzip)(identity) };
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, cacheControl: string): FastifyReply {
  const etag = `W/"${asset.hash}"`;
  const caching = { "cache-control": cacheControl, etag, vary: "accept-encoding" };
  reply.headers({ ...caching, "x-content-type-options": "nosniff" });
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  const isGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  if (isGzip) reply.header("content-encoding", "gzip");
  return reply.type(asset.type).send(isGzip ? asset.gzip : asset.identity);
}

/** Wraps `make` so that it runs at the first call only, or again after it has failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
