import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { MessageBuffer } from "./message-socket.ts";

/** A message of PostgreSQL's protocol. */
function message(code: number, bodyBytes: number): Buffer {
  const bytes = Buffer.alloc(5 + bodyBytes, code);
  bytes.writeUInt32BE(4 + bodyBytes, 1);
  return bytes;
}

function isWhole(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) at += 1 + bytes.readUInt32BE(at + 1);
  return at === bytes.length;
}

test("however the bytes arrive, only whole messages come out, and all of them", () => {
  const size = fc.oneof(fc.nat(20), fc.nat(300_000), fc.constant(128 * 1024 - 5));
  const messages = fc.array(fc.tuple(fc.nat(255), size), { minLength: 1, maxLength: 8 });
  const pieceBytes = fc.array(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 200_000 })));
  fc.assert(
    fc.property(messages, pieceBytes, (given, someBytes) => {
      const pieces = [...someBytes, 64 * 1024];
      const sent = Buffer.concat(given.map(([code, bodyBytes]) => message(code, bodyBytes)));
      const buffer = new MessageBuffer();
      const received: Buffer[] = [];
      for (let at = 0, turn = 0; at < sent.length; turn++) {
        const space = buffer.space();
        expect(space.length).toBeGreaterThan(0);
        const count = sent.copy(space, 0, at, at + Math.min(pieces[turn % pieces.length] ?? 1, space.length));
        const whole = buffer.take(count);
        expect(isWhole(whole)).toBe(true);
        received.push(Buffer.from(whole));
        at += count;
      }
      expect(Buffer.concat(received).equals(sent)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("rows of all lengths come back whole from PostgreSQL", async () => {
  const { database } = await createTestDatabase();
  const lengths = [0, 1, 8_000, 70_000, 131_072, 5_000_000, 3];
  const { rows } = await database.query<{ text: string }>(
    "select repeat('é', length) as text from unnest($1::int[]) with ordinality as given (length, place) order by place",
    [lengths],
  );
  expect(rows.map(({ text }) => text.length)).toEqual(lengths);
  expect(rows.every(({ text }) => /^é*$/.test(text))).toBe(true);
});
