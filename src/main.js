#!/usr/bin/env node
import { enableCompileCache } from "node:module";

/** Time for connections to close. After it, what is still open no longer keeps the process running. */
const EXIT_GRACE_MS = 1_000;

// This file has no types and imports the rest only once the cache is on. Stripping types again would add 0.2 s and
// 20 MB to each start, and types in this file would load the stripper, 25 MB, each time.
enableCompileCache();
const { EXIT_CODES, run } = await import("./commands/run.ts");

process.exitCode = await run();
if (process.exitCode !== EXIT_CODES.success) process.exit();
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
