import { defineConfig } from "vitest/config";

/** Tests what `npm run release` has written, each artefact in an empty folder, without the sources. */
export default defineConfig({
  test: {
    include: ["test/release/*.release.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The packages of the project import their sources, which need no build.
    execArgv: ["--conditions=@colloquy/source"],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
