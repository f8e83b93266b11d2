#!/usr/bin/env node
import { enableCompileCache } from "node:module";

/** More than a result takes to be written; what is still open then would keep the process for ever. */
const EXIT_GRACE_MS = 1_000;

// Stripping the types of all files anew was measured at 0.2 s and 20 MB of each start. Hence the late import, and no
// types in this file, or Node would load what strips them, 25 MB, for it alone.
enableCompileCache();
const { EXIT_CODES, run } = await import("./commands/run.ts");

process.exitCode = await run();
if (process.exitCode !== EXIT_CODES.fine) process.exit();
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
