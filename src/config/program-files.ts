import { extname } from "node:path";

/**
 * Folder of the program: `src/` of a checkout. A release has its bundle here, one folder below it for the parts that
 * are shared, and what is not bundled at the same paths as in `src/`.
 */
const FOLDER = new URL("../", import.meta.url);

/** Returns the URL of a file or folder, by its path from `src/`. */
export function getProgramFile(path: string): URL {
  return new URL(path, FOLDER);
}

/** Returns the URL of a module that a thread runs, by its path from `src/` without its extension. */
export function getThreadModule(path: string): string {
  return getProgramFile(`${path}${extname(import.meta.url)}`).href;
}
