import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // More than the cores that the suite is meant for: some files mostly wait, for jobs to be tried again and the like.
    maxWorkers: 4,
    // Each file has a service and a database of its own; loading all the code again for each took a third of the time.
    isolate: false,
  },
});
