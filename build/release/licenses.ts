import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Folder of the package in which a file is. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** A package of which files are in a bundle. */
export interface BundledPackage {
  folder: string;
  name: string;
  version: string;
  license?: string;
}

/** Returns the packages to which the files belong. */
export async function findPackages(files: readonly string[]): Promise<BundledPackage[]> {
  const folders = new Set(files.flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []));
  return Promise.all([...folders].map(readManifest));
}

async function readManifest(folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return { folder, name, version, license };
}

/** Returns the licenses of the packages as one text. */
export async function collectLicenses(packages: readonly BundledPackage[]): Promise<string> {
  const texts = await Promise.all(packages.map(describe));
  return texts.sort().join(`\n${"-".repeat(80)}\n\n`);
}

async function describe({ folder, name, version, license }: BundledPackage): Promise<string> {
  const names = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), "utf8")));
  if (license === undefined && texts.length === 0) throw new Error(`${name} has no license.`);
  return [`${name} ${version} (${license})\n`, ...texts.map((text) => `${text.trim()}\n`)].join("\n");
}
