import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readBody } from "./body.ts";

const TEXT = JSON.stringify({ data: Array.from({ length: 20_000 }, (_, index) => `item ${index} \ud800 é`) });

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([
  ["announced", Buffer.byteLength(TEXT), 64 * 1024],
  ["announced", Buffer.byteLength(TEXT), 999],
  ["of unknown length", Number.NaN, 64 * 1024],
  ["of unknown length", Number.NaN, 999],
])("a large body %s (%d bytes), in chunks of %d bytes, is read as it was sent", async (_, announcedBytes, size) => {
  let claimed = 0;
  function add(bytes: number): void {
    claimed += bytes;
  }
  const claim = { add, isLarge: true, release: () => {} };
  const stream = Readable.from(chunksOf(Buffer.from(TEXT), size));
  expect(await readBody(stream, { announcedBytes, maxBytes: 10_000_000, claim })).toEqual(JSON.parse(TEXT));
  expect(claimed).toBe(Buffer.byteLength(TEXT));
});
