import { join } from "node:path";
import { build } from "vite";
import { ROOT } from "./paths.ts";

/** Builds the console into a folder. Returns the files of which it is made. */
export async function bundleConsole(folder: string): Promise<string[]> {
  const built = await build({
    configFile: join(ROOT, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true },
  });
  if (!("output" in built)) throw new Error("The console must be built once, without watching.");
  return built.output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}
