/** Seed of random tests: the same in every run, unless TEST_SEED sets another. CI sets the date for the long tests. */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_121);
