import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** URL of the service that `npm run dev` starts. */
const SERVICE = "http://127.0.0.1:8080";

/** Maximum size of all scripts together, compressed by gzip. */
const MAX_SCRIPT_BYTES = 320_000;

/** Writes compressed copies of each script and style, so that the service need not compress them. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
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
      if (scriptBytes > MAX_SCRIPT_BYTES) this.error(`The console has ${size}; the maximum is 320 kB.`);
      this.info(`The console has ${size}.`);
    },
  };
}

/** Builds the console. Its URLs are relative, so that a proxy can serve it below a path prefix. */
export default defineConfig({
  root: "src/console/web",
  base: "./",
  build: {
    outDir: "../../../build/console",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    // Compression takes most of the build, which does not justify a warning at `npm ci`.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  plugins: [react(), compressed()],
  server: {
    proxy: {
      // The service accepts session cookies only from its own origin.
      "^/(v1|v2|docs|openapi\\.json|console/session)(/|$)": {
        target: SERVICE,
        changeOrigin: true,
        headers: { origin: SERVICE },
      },
    },
  },
});
