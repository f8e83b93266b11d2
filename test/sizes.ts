/** Whether `npm run test:long` runs, for tests that kill or fill beside others with the same preparation. */
export const IS_LONG = process.env.LONG_TESTS === "true";

/** Returns the size or the cases of a test: `usual` with `npm test`, `long` with `npm run test:long`. */
export function size<Size>({ usual, long }: { usual: Size; long: Size }): Size {
  return IS_LONG ? long : usual;
}
