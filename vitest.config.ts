import { defineConfig } from "vitest/config";
import { SlowFilesFirst } from "./test/slow-files-first.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.{long,release}.test.ts"],
    globalSetup: "test/global-setup.ts",
    setupFiles: "test/statements/setup.ts",
    // Limits end what hangs, and are out of reach of a machine that stalls for seconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // Tests wait for a good part of their time: on two cores, three workers took 324 s and two 409 s. Each worker loads
    // the code and starts a service.
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    // The files of a worker share its service and the loaded code. Loading both for each file took a third of the time.
    isolate: false,
    // Packages import each other's sources, which need no build.
    execArgv: ["--conditions=@colloquy/source"],
    // Node runs the code as it does in production. Vite's module runner took 9 percent more processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
