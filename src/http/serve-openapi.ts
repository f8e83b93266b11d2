import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { JSON_TYPE } from "./response.ts";

interface Document {
  /** Hash of the text for `ETag`. */
  hash: string;
  identity: Buffer;
  gzip: Buffer;
}

/** Adds GET /openapi.json. The document is made for the first request: it takes 60 ms. */
export function registerOpenApi(server: FastifyInstance, makeDocument: () => object): void {
  let made: Promise<Document> | undefined;
  server.get("/openapi.json", async (request, reply) => {
    made ??= asDocument(JSON.stringify(makeDocument()));
    const document = await made;
    const etag = `W/"${document.hash}"`;
    const caching = { "cache-control": "no-cache", etag, vary: "accept-encoding" };
    reply.headers({ ...caching, "x-content-type-options": "nosniff" });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    const isGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (isGzip) reply.header("content-encoding", "gzip");
    return reply.type(JSON_TYPE).send(isGzip ? document.gzip : document.identity);
  });
}

async function asDocument(text: string): Promise<Document> {
  const identity = Buffer.from(text);
  return { hash: hash("sha256", identity).slice(0, 16), identity, gzip: await promisify(gzip)(identity) };
}
