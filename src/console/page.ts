import { hash, randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { SessionCookies } from "../http/session-cookies.ts";

/** Where the build puts the page, its scripts and its styles. */
const BUILD_FOLDER = join(import.meta.dirname, "../../build/console");
const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** With the ending of the compressed file, the preferred one first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";
const NOT_BUILT = "The console is not built yet: run `npm run prepare` and load this page again.\n";

interface File {
  type: string;
  etag: string;
  contents: Buffer;
  /** By encoding. */
  compressed: Map<string, Buffer>;
}

interface Build {
  /** The page, with `{nonce}` and `{session}` for what must differ in each answer. */
  page: string;
  /** By path from the build's folder. Nothing else is served, so no path leads out of it. */
  files: Map<string, File>;
}

/** Adds GET /console: the page at every address below it that is no file of the build. */
export function registerConsolePage(
  server: FastifyInstance,
  sessionCookies: SessionCookies,
  folder = BUILD_FOLDER,
): void {
  const currentBuild = rebuilt(folder);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    const build = await currentBuild();
    if (!build) return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
    const [path = ""] = request.url.split("?", 1);
    const below = path.slice("/console".length);
    const file = build.files.get(below.slice(1));
    if (file) return sendFile(request, reply, file, below.startsWith("/assets/") ? IMMUTABLE : REVALIDATE);
    if (below.startsWith("/assets/")) throw new ServiceError("NOT_FOUND", "There is no such file; load the page anew.");
    const nonce = randomBytes(16).toString("base64");
    const isSignedOut = sessionCookies.isSignedOut(request);
    // Back must not bring the page of a stranger to somebody who has signed in meanwhile.
    const cacheControl = isSignedOut ? "no-store" : REVALIDATE;
    reply.headers({ "cache-control": cacheControl, "content-security-policy": policy(nonce) });
    const page = build.page
      .replace("{nonce}", nonce)
      .replace("{session}", isSignedOut ? "none" : "unknown")
      .replaceAll('"./', `"${toConsole(below)}`);
    return reply.type("text/html; charset=utf-8").send(page);
  }

  server.get("/console", answer);
  server.get("/console/*", answer);
}

/** No script but the build's own, no style element without the nonce, no other host but for what records point to. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // The component library positions by style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    "media-src https: http: blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The way from the page at `/console<below>` to `/console/`; relative, for a proxy with a path of its own. */
function toConsole(below: string): string {
  if (below === "") return "console/";
  const depth = below.split("/").length - 2;
  return depth === 0 ? "./" : "../".repeat(depth);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: File, cacheControl: string): FastifyReply {
  reply.headers({ "cache-control": cacheControl, etag: file.etag, vary: "accept-encoding" });
  if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"] ?? "";
  for (const [encoding, contents] of file.compressed) {
    if (!new RegExp(`\\b${encoding}\\b`).test(accepted)) continue;
    return reply.header("content-encoding", encoding).type(file.type).send(contents);
  }
  return reply.type(file.type).send(file.contents);
}

/** Reads the build when it is asked for and new; undefined while there is none. */
function rebuilt(folder: string): () => Promise<Build | undefined> {
  let known: { mtimeMs: number; build: Promise<Build> } | undefined;
  return async () => {
    const page = join(folder, "index.html");
    const { mtimeMs } = await stat(page).catch(() => ({ mtimeMs: undefined }));
    if (mtimeMs === undefined) return undefined;
    if (known?.mtimeMs !== mtimeMs) known = { mtimeMs, build: readBuild(folder) };
    return known.build.catch(() => {
      known = undefined;
      return undefined;
    });
  };
}

async function readBuild(folder: string): Promise<Build> {
  const names = await readdir(folder, { recursive: true });
  const files = new Map<string, File>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    const contents = await readFile(join(folder, name));
    const compressed = new Map<string, Buffer>();
    for (const [encoding, ending] of ENCODINGS) {
      if (names.includes(name + ending)) compressed.set(encoding, await readFile(join(folder, name + ending)));
    }
    const etag = `W/"${hash("sha256", contents).slice(0, 16)}"`;
    files.set(name, { type, etag, contents, compressed });
  }
  return { page: await readFile(join(folder, "index.html"), "utf8"), files };
}
