import fc from "fast-check";
import { expect, test } from "vitest";
import { withTexts } from "./record-texts.ts";

const key = fc.oneof(fc.constantFrom("__proto__", "", "1"), fc.string({ unit: "binary" }));
const value = fc.anything({
  key,
  maxDepth: 5,
  values: [
    fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "😀", '"', "\\", "x") }),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  ],
});
const records = fc.array(fc.oneof(fc.dictionary(key, value), fc.array(value)), { maxLength: 5 });

test.each([1, 2, 100, 1000])(
  "values written in turns of an effort of %i have JSON.stringify's text",
  async (effort) => {
    await fc.assert(
      fc.asyncProperty(records, async (values) => {
        const rows = values.map((record, id) => ({ id, record }));
        const written = rows.map(({ id, record }) => ({ id, record: JSON.stringify(record) }));
        expect(await withTexts(rows, effort)).toEqual(written);
      }),
      { numRuns: 500 },
    );
  },
);
