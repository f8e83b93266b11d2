import { mkdir, rm } from "node:fs/promises";
import { pack } from "./pack.ts";
import { PACKAGE, RELEASE } from "./paths.ts";
import { writeServicePackage } from "./service-package.ts";

// Writes everything that is released to `release/`. Each step is a function of its own file.
await rm(RELEASE, { recursive: true, force: true });
await mkdir(RELEASE);
await writeServicePackage();
await pack(PACKAGE);
