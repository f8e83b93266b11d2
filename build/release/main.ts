import { mkdir, rm } from "node:fs/promises";
import { PLATFORMS, writeArchive } from "./archive.ts";
import { PACKAGE, RELEASE, runProgram } from "./paths.ts";
import { writeSboms } from "./sboms.ts";
import { writeServicePackage } from "./service-package.ts";

// Writes everything that is released to `release/`. Each step is a function of its own file.
await rm(RELEASE, { recursive: true, force: true });
await mkdir(RELEASE);
const packages = await writeServicePackage();
await runProgram("npm", ["pack", "--pack-destination", RELEASE], PACKAGE);
const clients = ["--workspace=@colloquy/client", "--workspace=@colloquy/react", "--workspace=@colloquy/editor"];
await runProgram("npm", ["pack", ...clients, "--pack-destination", RELEASE]);
await writeSboms(packages);
await Promise.all(PLATFORMS.map(writeArchive));
