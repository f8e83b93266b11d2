/** Returns the size of a test: `usual` with `npm test`, `long` with `npm run test:long`. */
export function size({ usual, long }: { usual: number; long: number }): number {
  return process.env.LONG_TESTS === "true" ? long : usual;
}
