import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.long.test.ts"],
    globalSetup: "test/global-setup.ts",
    // Limits end what hangs, and are out of reach of a machine that stalls for seconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // More than the two cores that the suite is meant for, since some files mostly wait for retries and the like.
    maxWorkers: 4,
    // The files of a worker share its service and the loaded code, which took a third of the time for each anew.
    isolate: false,
  },
});
