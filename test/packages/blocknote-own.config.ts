import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Folder of BlockNote's own thread store and its tests, which its package contains. */
const FOLDER = join(import.meta.dirname, "../../node_modules/@blocknote/core/src/comments/threadstore/yjs");

/** Runs BlockNote's tests of its thread store with ours. `blocknote-own.long.test.ts` starts the service for it. */
export default defineConfig({
  resolve: { alias: { "./YjsThreadStore.js": join(import.meta.dirname, "blocknote-yjs-store.ts") } },
  ssr: { resolve: { conditions: ["@colloquy/source", "module", "node"] } },
  test: {
    include: [join(FOLDER, "YjsThreadStore.test.ts")],
    exclude: [],
    server: { deps: { inline: [/@blocknote/, /@colloquy/] } },
  },
});
