import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // More than the cores that the suite is meant for: some files mostly wait, for jobs to be tried again and the like.
    maxWorkers: 4,
    // Files share a worker's service, and all the code that is loaded: anew for each it took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
