import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { JSON_TYPE } from "./answer.ts";

interface Asset {
  type: string;
  /** Returns a hash of the content, which names its version in URLs and in `ETag`. */
  hash: string;
  identity: Buffer;
  gzip: Buffer;
}

/** Links are relative to `/docs`, so that a proxy may serve them below a path of its own. */
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

/** Everything that would leave this host is off; requests are tried on the origin that served the page. */
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
 * No script but those of this server, no other host, and no frame around it:
 * the page has the origin of the session. Scalar adds style elements of its own, without a nonce.
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

/** Adds GET /openapi.json and the page /docs that renders it without any other host. */
export function registerDocumentation(server: FastifyInstance, document: object): void {
  const openApi = once(() => asset(JSON_TYPE, JSON.stringify(document)));
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
 * Scalar's bundle, 4.4 MB of script. The plugin that ships it serves it as a route only, beside a page with inline
 * scripts that a strict policy refuses; so the route is asked once, at the first visit, and the page is ours.
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

/** Makes the value at the first call; a failure is not kept. */
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
