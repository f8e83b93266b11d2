import { defineConfig, mergeConfig } from "vitest/config";
import usual from "./vitest.config.ts";

/** The tests that take many kills, rows or random calls. `npm test` runs most of them with smaller numbers. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: [
        "src/**/*.long.test.ts",
        "src/**/kill.test.ts",
        "src/**/purge/job.test.ts",
        "src/features/{activities,notifications}/delete.test.ts",
        "test/journeys/{fuzz,kill,starts}.test.ts",
      ],
      env: { LONG_TESTS: "true" },
      testTimeout: 3_600_000,
      maxWorkers: 2,
    },
  }),
);
