import { execFileSync } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "build/console/index.html");
const SOURCES = ["src/console/web/**/*", "vite.config.ts", "package-lock.json"];

/** Builds the page where it is missing or older than what it is made of. */
export function buildConsole(): void {
  if (existsSync(PAGE) && newestSource() <= statSync(PAGE).mtimeMs) return;
  // Vite is told by NODE_ENV which React it is to take, and tests have their own.
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync("npm", ["run", "prepare"], { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
}

function newestSource(): number {
  const times = globSync(SOURCES, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)).mtimeMs);
  return Math.max(...times);
}
