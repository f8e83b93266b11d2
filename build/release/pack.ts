import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RELEASE } from "./paths.ts";

const run = promisify(execFile);

/** Packs the npm package of a folder into `release/`. */
export async function pack(folder: string): Promise<void> {
  await run("npm", ["pack", "--pack-destination", RELEASE], { cwd: folder });
}
