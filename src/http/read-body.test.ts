import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readBody } from "./read-body.ts";

const TEXT = JSON.stringify({ data: Array.from({ length: 20_000 }, (_, index) => `item ${index} \ud800 é`) });

const MAX_BYTES = 10_000_000;

/** Returns a claim that counts its bytes. */
function countingClaim() {
  const claim = { bytes: 0, release: () => {}, add: (bytes: number) => count(bytes) };
  function count(bytes: number): void {
    claim.bytes += bytes;
  }
  return claim;
}

function* splitIntoChunks(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([
  ["with Content-Length", Buffer.byteLength(TEXT), 64 * 1024],
  ["with Content-Length", Buffer.byteLength(TEXT), 999],
  ["of unknown length", Number.NaN, 64 * 1024],
  ["of unknown length", Number.NaN, 999],
])("a large body %s (%d bytes), in chunks of %d bytes, is read as it was sent", async (_, contentLength, size) => {
  const claim = countingClaim();
  const stream = Readable.from(splitIntoChunks(Buffer.from(TEXT), size));
  expect(await readBody(stream, { contentLength, maxBytes: MAX_BYTES, claim })).toEqual(JSON.parse(TEXT));
  expect(claim.bytes).toBe(Buffer.byteLength(TEXT));
});
