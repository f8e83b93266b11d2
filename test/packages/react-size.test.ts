import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Rollup } from "vite";
import { build, defaultClientConditions } from "vite";
import { expect, inject, test } from "vitest";

const INDEX = join(import.meta.dirname, "../../packages/react/src/index.ts");
const HOOKS = "useActivities, useInbox, useMyPresence, useOthers, usePresence, useThreads, useUnreadThreads, useUsers";
/** Maximum sizes of scripts without React, compressed by gzip, of what a page imports. */
const MAX_BYTES = {
  hooks: { code: `export { ColloquyProvider, ${HOOKS} }`, maxBytes: 12_000 },
  components: { code: "export *", maxBytes: 45_000 },
  thread: { code: "export { Thread }", maxBytes: 23_000 },
  composer: { code: "export { Composer }", maxBytes: 18_000 },
};

/** Bundles a script that exports something of the package as for a page, since libraries keep their white space. */
async function bundleExports(code: string): Promise<Rollup.OutputChunk[]> {
  const folder = await mkdtemp(join(inject("runDirectory"), "size-"));
  await writeFile(join(folder, "entry.js"), `${code} from ${JSON.stringify(INDEX)};`);
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    resolve: { conditions: ["@colloquy/source", ...defaultClientConditions] },
    build: {
      write: false,
      rolldownOptions: {
        ...{ input: join(folder, "entry.js"), preserveEntrySignatures: "strict" },
        external: /^react(-dom)?(\/|$)/,
      },
    },
  });
  const outputs = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
  return outputs.filter((each) => each.type === "chunk");
}

/** Returns an entry and the chunks that a page loads with it. */
function getLoaded(chunks: Rollup.OutputChunk[]): Rollup.OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded) {
    for (const name of imports) {
      const chunk = byName.get(name);
      if (chunk) loaded.add(chunk);
    }
  }
  return [...loaded];
}

test.each(Object.entries(MAX_BYTES))(
  "%s have at most their size, and load the editor and emojis later",
  async (name, { code, maxBytes }) => {
    const chunks = await bundleExports(code);
    const loaded = getLoaded(chunks);
    expect(loaded.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0)).toBeLessThanOrEqual(maxBytes);
    const modules = loaded.flatMap(({ moduleIds }) => moduleIds);
    expect(modules.filter((id) => /squire-rte|frimousse|emojibase-data/.test(id))).toEqual([]);
    const later = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => /squire-rte|frimousse/.test(id));
    expect(later.length > 0).toBe(name !== "hooks");
  },
);
