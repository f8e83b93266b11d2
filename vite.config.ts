import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Where `npm run dev` listens. */
const SERVICE = "http://127.0.0.1:8080";

/** All of the page's scripts together, compressed by gzip. */
const MAX_SCRIPT_BYTES = 300_000;

/** Writes each script and style once more as `.gz` and `.br`, so that the service compresses nothing. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    // When every other plugin has had its hands on them.
    async writeBundle({ dir = "" }, bundle) {
      let scriptBytes = 0;
      for (const fileName of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
        const source = await readFile(join(dir, fileName));
        const zipped = gzipSync(source, { level: 9 });
        if (fileName.endsWith(".js")) scriptBytes += zipped.length;
        await writeFile(join(dir, `${fileName}.gz`), zipped);
        await writeFile(join(dir, `${fileName}.br`), brotliCompressSync(source));
      }
      const size = `${Math.round(scriptBytes / 1000)} kB of compressed script`;
      if (scriptBytes > MAX_SCRIPT_BYTES) this.error(`The console has ${size}; 300 kB are the most.`);
      this.info(`The console has ${size}.`);
      // A service that has read the folder meanwhile reads it again.
      await utimes(join(dir, "index.html"), new Date(), new Date());
    },
  };
}

/** The page of the console. Addresses in it are relative, so that a proxy may serve it below a path of its own. */
export default defineConfig({
  root: "src/console/web",
  base: "./",
  build: {
    outDir: "../../../build/console",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
  },
  plugins: [react(), compressed()],
  server: {
    proxy: {
      // The service answers a session's requests only from its own origin.
      "^/(v1|v2|docs|openapi\\.json|console/session)(/|$)": {
        target: SERVICE,
        changeOrigin: true,
        headers: { origin: SERVICE },
      },
    },
  },
});
