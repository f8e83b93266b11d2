import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Folder of the package in which a file is. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/** Returns the licenses of the packages to which the files belong, as one text. */
export async function collectLicenses(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []));
  const texts = await Promise.all([...folders].map(describe));
  return texts.sort().join(`\n${"-".repeat(80)}\n\n`);
}

async function describe(folder: string): Promise<string> {
  const { name, version, license }: Manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const names = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), "utf8")));
  if (license === undefined && texts.length === 0) throw new Error(`${name} has no license.`);
  return [`${name} ${version} (${license})\n`, ...texts.map((text) => `${text.trim()}\n`)].join("\n");
}
