import { test } from "vitest";

/** Whether `npm run test:long` runs. */
const IS_LONG = process.env.LONG_TESTS === "true";

/** Defines a test that only `npm run test:long` runs, beside others with the same preparation. */
export const longTest = test.runIf(IS_LONG);

/** Returns the size or the cases of a test: `usual` with `npm test`, `long` with `npm run test:long`. */
export function size<Size>({ usual, long }: { usual: Size; long: Size }): Size {
  return IS_LONG ? long : usual;
}
