import { mkdir, rm } from "node:fs/promises";
import { PLATFORMS, writeArchive } from "./archive.ts";
import { PACKAGE, RELEASE, runProgram } from "./paths.ts";
import { writeServicePackage } from "./service-package.ts";

// Writes everything that is released to `release/`. Each step is a function of its own file.
await rm(RELEASE, { recursive: true, force: true });
await mkdir(RELEASE);
await writeServicePackage();
await runProgram("npm", ["pack", "--pack-destination", RELEASE], PACKAGE);
for (const platform of PLATFORMS) await writeArchive(platform);
