import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Folder of everything that is released. */
export const RELEASE = join(ROOT, "release");

/** The npm package `colloquy`, unpacked: the bundled service, the console, and the licenses of what is bundled. */
export const PACKAGE = join(RELEASE, "dist");
