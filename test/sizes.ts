/** Returns the size or the cases of a test: `usual` with `npm test`, `long` with `npm run test:long`. */
export function size<Size>({ usual, long }: { usual: Size; long: Size }): Size {
  return process.env.LONG_TESTS === "true" ? long : usual;
}
