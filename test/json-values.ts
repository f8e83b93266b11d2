import fc from "fast-check";

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const SURROGATES = { first: 0xd800, count: 0x800 };
/** Any Unicode character. Equals fast-check's unit "binary", which takes 0.8 s to create. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((point) => String.fromCodePoint(point < SURROGATES.first ? point : point + SURROGATES.count));
/** Any text, including U+0000 and lone surrogates. */
export const anyText = fc.oneof(fc.string({ unit: codeUnit }), fc.string({ unit: "grapheme" }));
const anyKey = fc.oneof(anyText, fc.constantFrom("", "__proto__", "constructor", "toJSON", "\0", "1", "\ud800"));
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e308, 5e-324, 2 ** 53),
);
const anyScalar = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null));

/** Objects of up to four fields with any names. */
export function buildObject(values: fc.Arbitrary<unknown>) {
  return fc.array(fc.tuple(anyKey, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** Any JSON value of up to 20 levels. */
export const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 20, depthSize: "large" }),
  fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, anyScalar, fc.array(tie("value"), { maxLength: 4 }), buildObject(tie("value"))),
  })).value,
);
