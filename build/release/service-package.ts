import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { bundleConsole } from "./bundle-console.ts";
import { bundleService } from "./bundle-service.ts";
import { type BundledPackage, collectLicenses, findPackages } from "./licenses.ts";
import { PACKAGE, ROOT } from "./paths.ts";

const { name, version, description, license, type, homepage, repository, bugs, optionalDependencies } = packageJson;

/** The manifest of the released package. Everything that it runs is bundled, except the embedded PostgreSQL. */
const MANIFEST = {
  ...{ name, version, description, license, homepage, repository, bugs, type },
  engines: { node: ">=24.3" },
  bin: { colloquy: "lib/main.js" },
  files: ["lib", "build", "LICENSES.txt", "CHANGELOG.md"],
  optionalDependencies,
};

/**
 * Writes the package `colloquy`: the bundled service, the console, and the licenses of what is bundled. Returns the
 * packages that are bundled.
 */
export async function writeServicePackage(): Promise<BundledPackage[]> {
  await mkdir(PACKAGE, { recursive: true });
  const service = await bundleService(join(PACKAGE, "lib"));
  const console = await bundleConsole(join(PACKAGE, "build/console"));
  const packages = await findPackages([...service, ...console]);
  await writeFile(join(PACKAGE, "LICENSES.txt"), await collectLicenses(packages));
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md"]) await cp(join(ROOT, file), join(PACKAGE, file));
  await writeFile(join(PACKAGE, "package.json"), `${JSON.stringify(MANIFEST, undefined, 2)}\n`);
  return packages;
}
