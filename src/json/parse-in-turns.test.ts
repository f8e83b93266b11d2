import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInTurns } from "./parse-in-turns.ts";

/** A text of many pieces: they end at every comma, or at every few characters. */
const SIZES = [
  { bytes: 1, values: 1000 },
  { bytes: 5, values: 3 },
  { bytes: 1000, values: 2 },
];

/** Returns the value with its keys in their order, or undefined if the text is not JSON. */
function parsed(text: string): { value: unknown; text: string | undefined } | undefined {
  try {
    return described(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function described(value: unknown) {
  return { value, text: JSON.stringify(value) };
}

async function expectSame(sent: string): Promise<void> {
  const text = sent.toWellFormed();
  const expected = parsed(text);
  for (const size of SIZES) {
    const actual = await parseInTurns(Buffer.from(text), size).then(described, (error) => {
      expect(error).toBeInstanceOf(SyntaxError);
    });
    expect(actual, text).toEqual(expected);
  }
}

const KEYS = fc.constantFrom("a", "b", "__proto__", "", "1", "0", 'quo"te', "back\\slash", "\ud800");
/** Strings whose characters take up to six bytes, some of which look like an escape sequence. */
const STRINGS = fc.string({ unit: fc.constantFrom("\\", '"', "u", "a", "é", "😀", "\ud800", "\n"), maxLength: 12 });
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc
      .oneof(KEYS, STRINGS, fc.string(), fc.double(), fc.boolean(), fc.constant(null))
      .map((value) => JSON.stringify(value)),
    fc.array(tie("document"), { maxLength: 5 }).map((items) => `[${items.join(" ,")}]`),
    fc
      .array(fc.tuple(KEYS, tie("document")), { maxLength: 5 })
      .map((fields) => `{ ${fields.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}\n}`),
  ),
}));

test("a text is parsed by pieces as at once, repeated keys included", async () => {
  await fc.assert(fc.asyncProperty(document as fc.Arbitrary<string>, expectSame), { numRuns: 1000 });
});

const DAMAGE = fc.constantFrom(...'[]{},:"\\ 1-e\n\u00a0', "\\u", "\ud83d", "[]", "{}", ",,", "1 2", '"a":', "null");

test("a damaged text is refused by pieces exactly if it is at once", async () => {
  const damaged = fc.tuple(document as fc.Arbitrary<string>, fc.nat(), fc.nat(3), fc.option(DAMAGE));
  await fc.assert(
    fc.asyncProperty(damaged, async ([text, place, removed, added]) => {
      const at = place % (text.length + 1);
      await expectSame(text.slice(0, at) + (added ?? "") + text.slice(at + removed));
    }),
    { numRuns: 3000 },
  );
});

test("a long string takes turns with other work, and its value is one string", async () => {
  const value = { a: ["\ud800".repeat(500_000), 1] };
  let [isDone, turns] = [false, 0];
  const parsing = parseInTurns(Buffer.from(JSON.stringify(value))).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await new Promise(setImmediate);
  expect(await parsing).toEqual(value);
  expect(turns).toBeGreaterThan(40);
});
