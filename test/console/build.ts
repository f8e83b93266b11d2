import { execFileSync } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "build/console/index.html");
const SOURCES = ["src/console/web/**/*", "vite.config.ts", "package-lock.json"];

/** Builds the console if its build is missing or older than its sources. */
export function buildConsole(): void {
  if (existsSync(PAGE) && newestSource() <= statSync(PAGE).mtimeMs) return;
  // Vitest sets NODE_ENV to test, which would build React for development.
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync("npm", ["run", "prepare"], { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
}

function newestSource(): number {
  const times = globSync(SOURCES, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)).mtimeMs);
  return Math.max(...times);
}
