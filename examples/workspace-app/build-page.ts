import { join } from "node:path";
import { build } from "vite";
import type { PageFiles } from "./backend.ts";

/** Builds the page. */
export async function buildPage(): Promise<PageFiles> {
  const built = [await build({ configFile: join(import.meta.dirname, "vite.config.ts") })].flat();
  const files = built.flatMap((one) => ("output" in one ? one.output : []));
  return new Map(files.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
}
