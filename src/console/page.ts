import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { getProgramFile } from "../config/program-files.ts";
import type { SessionCookies } from "../http/session-cookies.ts";

/** Folder of the built console: its page, scripts and styles. */
const BUILD_FOLDER = fileURLToPath(getProgramFile("../build/console/"));
/** Extensions of the built files. No URL of the page ends in one of them. */
const FILE = /\.(js|css|svg)$/;
const ASSETS = "assets/";
const NOT_BUILT = "The console is not built yet: run `npm run prepare` and load this page again.\n";

type ConsoleRequest = FastifyRequest<{ Params: { "*"?: string } }>;

/** Adds GET /console: the built files, and the page at every other path below it. */
export async function registerConsolePage(
  server: FastifyInstance,
  sessionCookies: SessionCookies,
  folder = BUILD_FOLDER,
): Promise<void> {
  await server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, suppressWarning: true });

  async function respond(request: ConsoleRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    const path = request.params["*"] ?? "";
    return FILE.test(path) ? sendFile(reply, path) : sendPage(request, reply);
  }

  async function sendPage(request: ConsoleRequest, reply: FastifyReply): Promise<FastifyReply> {
    const template = await readTemplate(folder);
    if (template === undefined) return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
    const nonce = randomBytes(16).toString("base64");
    // The page shows tokens and settings, which the Back button must not bring back after signing out.
    reply.headers({ "cache-control": "no-store", "content-security-policy": policy(nonce) });
    const page = template
      .replace("{nonce}", nonce)
      .replace("{session}", sessionCookies.isSignedOut(request) ? "none" : "unknown")
      .replaceAll('"./', `"${pathToConsole(request)}`);
    return reply.type("text/html; charset=utf-8").send(page);
  }

  server.get("/console", respond);
  server.get("/console/*", respond);
}

/** Sends a built file. Browsers cache the assets, whose names contain a hash, and revalidate the other files. */
function sendFile(reply: FastifyReply, path: string): FastifyReply {
  if (path.startsWith(ASSETS)) return reply.sendFile(path, { maxAge: "1y", immutable: true });
  return reply.header("cache-control", "no-cache").sendFile(path, { cacheControl: false });
}

/** Returns the page with the placeholders `{nonce}` and `{session}`, or undefined if the console is not built. */
async function readTemplate(folder: string): Promise<string | undefined> {
  return readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
}

/**
 * Allows the build's own scripts and images and no others, and styles with the nonce. Recordings link to audio and
 * video on hosts that only the page knows, so media may come from any host; the page plays them only when asked to.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // The component library positions by style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src https: http: blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Returns the relative path from the requested URL to `/console/`, which a proxy may serve below a prefix. */
function pathToConsole(request: ConsoleRequest): string {
  const [path = ""] = request.url.split("?", 1);
  const depth = path.split("/").length - 3;
  if (depth < 0) return "console/";
  return depth === 0 ? "./" : "../".repeat(depth);
}
