import { globSync, readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import usual from "./vitest.config.ts";

/** Tests whose size depends on LONG_TESTS. `npm test` runs them with smaller numbers. */
const sized = globSync("{src,test}/**/*.test.ts").filter((path) => readFileSync(path, "utf8").includes("/sizes.ts"));

/** Runs the tests that kill, wait, fill or repeat: with many kills, rows or random calls, or never quick. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ["{src,test}/**/*.long.test.ts", "test/tenants/tenants.test.ts", ...sized],
      env: { LONG_TESTS: "true" },
      testTimeout: 3_600_000,
    },
  }),
);
