import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { inject } from "vitest";
import { registerCleanup } from "./cleanup.ts";

export const BUCKET_KEYS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** The server (5.0.0) verifies a query as if ! ' ( ) and * were not encoded, as RFC 3986 and Amazon S3 want it. */
function encodeForServer(): void {
  const encode = globalThis.encodeURIComponent;
  globalThis.encodeURIComponent = (text) =>
    encode(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  registerCleanup(() => {
    globalThis.encodeURIComponent = encode;
  });
}

/** Starts an S3-compatible server that verifies signatures. Returns the address of its bucket. */
export async function startBucket(): Promise<string> {
  encodeForServer();
  const directory = await mkdtemp(join(inject("runDirectory"), "s3-"));
  const server = new S3rver({ port: 0, silent: true, directory, configureBuckets: [{ name: "files" }] });
  const { port } = await server.run();
  registerCleanup(() => server.close());
  return `s3://files/kept here?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}&region=eu-central-1`;
}
