import { cp, glob } from "node:fs/promises";
import { join } from "node:path";
import { build } from "rolldown";
import { ROOT } from "./paths.ts";

/** What the bundled packages import only if it is installed. */
const OPTIONAL = ["@napi-rs/nice", "pg-native"];

/**
 * Bundles the service into a folder, without node_modules. Returns the files of which the bundle is made. Parts that
 * several commands share are in `chunks/`, so that each process loads only what it needs.
 */
export async function bundleService(folder: string): Promise<string[]> {
  const input: Record<string, string> = {
    main: "src/main.js",
    // Piscina starts its threads with the file of this name beside its own code.
    "chunks/worker": "node_modules/piscina/dist/worker.js",
  };
  // Each module that a thread loads is a file at the same path as in src/ (src/config/program-files.ts).
  for await (const path of glob("src/**/*-thread.ts", { cwd: ROOT })) input[path.slice(4, -3)] = path;
  const { output } = await build({
    cwd: ROOT,
    input,
    platform: "node",
    external: OPTIONAL,
    transform: { define: { __dirname: "import.meta.dirname" } },
    output: {
      dir: folder,
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      // Names of functions and classes are in stack traces and in the log.
      minify: { compress: true, mangle: { keepNames: true }, codegen: true },
      sourcemap: true,
    },
  });
  await cp(join(ROOT, "src/database/migrations"), join(folder, "database/migrations"), { recursive: true });
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}
